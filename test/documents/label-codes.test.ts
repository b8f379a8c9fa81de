import test from 'ava';
import { composeLabels } from '../../src/documents/labels/document.js';
import { printLabels } from '../../src/documents/labels/print.js';
import { DEFAULT_LABEL_OPTIONS, type LabelSource, type LabelType } from '../../src/domain/labels.js';
import { fuzzedSource, readBack } from '../support/label-fuzz.js';
import { onePress } from '../support/label-press.js';
import { labelSource } from '../support/label-sources.js';
import { patient } from '../support/patience.js';
import { type FoundCode, readPdf } from '../support/pdf.js';

/** Number of random labels to print and read back, half on each paper: `LABEL_FUZZ=1000` for a thousand. */
const FUZZED = Number(process.env.LABEL_FUZZ ?? 40);
const FIRST_SEED = Number(process.env.LABEL_FUZZ_SEED ?? 1);
const PER_DOCUMENT = 50;
/** Some have packages, some a return. */
const LABELS_PER_SHIPMENT = 1.7;
const BASE_TIMEOUT_MS = 120_000;
const TIMEOUT_PER_LABEL_MS = 10_000;
const MM_PER_INCH = 25.4;
const PAPERS: readonly LabelType[] = ['thermal', 'A4'];

const { press, pool } = onePress();
test.after.always(() => pool.close());

async function printed(sources: readonly LabelSource[], labelType: LabelType) {
  const document = await composeLabels(
    sources,
    { ...DEFAULT_LABEL_OPTIONS, labelType },
    { baseUrl: 'https://p.test' },
  );
  return await readPdf(await printLabels(document, { logo: null }, press));
}

function withOrder(number: string): LabelSource {
  return labelSource({
    shipment: { trackingCode: 'RMD99MHA2QXRL', order: { rowId: 1, id: '1', number } },
    account: { orderNumberBarcode: true },
  });
}

/** A long address beside a long tracking code left too little room for the order number on a sheet. */
const TIGHT = 1_000_052;

test.serial('labels on A4: the order number has a complete DataMatrix in little room', async (t) => {
  const { failures } = await readBack(press, [fuzzedSource(TIGHT)], 'A4');

  t.deepEqual(failures, []);
});

for (const paper of PAPERS) {
  test.serial(`labels on ${paper}: a long order number leaves the tracking code complete`, async (t) => {
    const numbers = ['ABCDEFGHIJKLMNOPQRSTUVWXY', 'Web-2026-11-22/store-tlv/00123', 'X'.repeat(35)];

    const pages = await printed(numbers.map(withOrder), paper);

    // The code's letters are spaced.
    const text = pages
      .map((page) => page.text)
      .join('')
      .replaceAll(' ', '');
    t.is(text.split('RMD99MHA2QXRL').length - 1, numbers.length, text);
    for (const dpi of [203, 300]) {
      const codes = (await Promise.all(pages.map((page) => page.codes({ dpi })))).flat();
      const bars = codes.filter(({ format }) => format === 'Code128').map((code) => code.text);
      t.deepEqual(
        bars,
        numbers.map(() => 'RMD99MHA2QXRL'),
        `at ${dpi} dpi`,
      );
    }
  });

  test.serial(
    `labels on ${paper}: bars have five clear millimeters above them and wide modules`,
    async (t) => {
      const dpi = 300;
      const least = paper === 'A4' ? 0.3 : 0.25;

      const [page] = await printed([withOrder('1001')], paper);
      const codes = (await page?.codes({ dpi })) ?? [];

      const bars = codes.find(({ format }) => format === 'Code128');
      t.truthy(bars);
      if (bars === undefined) return;
      const modules = 178;
      t.true(toMm(bars.box.right - bars.box.left, dpi) / modules >= least - 0.01);
      const foreign = codes.filter(({ text }) => text !== bars.text);
      t.is(foreign.length, 2);
      for (const code of foreign)
        t.true(toMm(distance(bars.box, code.box), dpi) >= 5, `${code.format} ${code.text}`);
    },
  );

  test.serial(`labels on ${paper}: only the first package shows the cash to collect`, async (t) => {
    const cod = { amount: '123456.90', currency: 'ILS' };

    const pages = await printed([labelSource({ shipment: { packages: 3, cod } })], paper);

    const text = pages.map((page) => page.text).join(' ');
    t.deepEqual(text.match(/123,?456\.90/g), ['123,456.90']);
    t.is(text.match(/PAID WITH/g)?.length, 2);
  });

  test.serial(`labels on ${paper}: every code of random labels is readable in black and white`, async (t) => {
    const failures: string[] = [];
    const wanted = FUZZED / 2;
    t.timeout(patient(BASE_TIMEOUT_MS + wanted * TIMEOUT_PER_LABEL_MS));
    let labels = 0;
    let seed = FIRST_SEED + (paper === 'A4' ? 1_000_000 : 0);
    while (labels < wanted) {
      const count = Math.min(PER_DOCUMENT, Math.ceil((wanted - labels) / LABELS_PER_SHIPMENT));
      const sources = Array.from({ length: count }, (_, index) => fuzzedSource(seed + index));
      const result = await readBack(press, sources, paper);
      labels += result.labels;
      failures.push(...result.failures);
      seed += count;
    }

    t.log(`${labels} labels read at 203 and 300 dpi`);
    t.deepEqual(failures, []);
  });
}

function toMm(pixels: number, dpi: number): number {
  return (pixels / dpi) * MM_PER_INCH;
}

/** Between the nearest points of two boxes. */
function distance(one: FoundCode['box'], other: FoundCode['box']): number {
  const gap = (low: number, high: number) => Math.max(0, low, high);
  return Math.hypot(
    gap(other.left - one.right, one.left - other.right),
    gap(other.top - one.bottom, one.top - other.bottom),
  );
}
