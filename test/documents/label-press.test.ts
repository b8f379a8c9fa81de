import { createHash } from 'node:crypto';
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import test from 'ava';
import { bareEnvironment } from '../../src/config/bare-environment.js';
import { BrowserPool, type PdfPrinter, type Printable } from '../../src/documents/browser/pool.js';
import { composeLabels } from '../../src/documents/labels/document.js';
import { createLabelPress, type PressJob } from '../../src/documents/labels/press.js';
import { printLabels } from '../../src/documents/labels/print.js';
import { DEFAULT_LABEL_OPTIONS, type LabelSource, type LabelType } from '../../src/domain/labels.js';
import { labelSource } from '../support/label-sources.js';
import { readPdf } from '../support/pdf.js';

const pool = new BrowserPool({
  executablePath: process.env.PUPPETEER_EXECUTABLE_PATH ?? '/usr/bin/chromium',
  pages: 1,
  sandbox: process.getuid?.() !== 0,
  environment: bareEnvironment(),
});
test.after.always(() => pool.close());

/** A press with one page that records its prints. */
function startPress() {
  const printed: Printable[] = [];
  const printer: Pick<PdfPrinter, 'print'> = {
    print: async (page, timeoutMs) => {
      printed.push(page);
      return await pool.print(page, timeoutMs);
    },
  };
  return { press: createLabelPress(printer, 1), printed };
}

/** Labels of eight merchants in four scripts, without a common name, code or number. */
const NAMES = ['Quentin Fox', 'דנה לוי', 'محمد الخطيب', 'Жанна Щукина', 'Zoë Łukasz', 'Björk', 'עופר', 'Ivy'];
const SOURCES = NAMES.map((name, index) =>
  labelSource({
    recipient: { name: `${name} ${index}` },
    shipment: { trackingCode: `CODE-${index}XY`, shortTrackingCode: `SHORT${index}` },
    account: { locale: ['en', 'he', 'ar', 'en'][index % 4] ?? 'en', companyName: `Merchant ${index}` },
  }),
);

function documentOf(source: LabelSource, labelType: LabelType) {
  return composeLabels([source], { ...DEFAULT_LABEL_OPTIONS, labelType }, { baseUrl: 'https://p.test' });
}

for (const labelType of ['thermal', 'A4'] as const) {
  test.serial(
    `press: simultaneous labels on ${labelType} are printed together and contain only their own data`,
    async (t) => {
      const { press, printed } = startPress();
      const print = async (source: LabelSource) =>
        await printLabels(await documentOf(source, labelType), { logo: null }, press);

      const together = await Promise.all(SOURCES.map(print));
      const prints = printed.length;
      const alone: Buffer[] = [];
      for (const source of SOURCES) alone.push(await print(source));

      t.is(prints, 1);
      for (const [index, pdf] of together.entries()) {
        const [page, ...others] = await readPdf(pdf);
        const text = (page?.text ?? '').replaceAll(' ', '');
        t.is(others.length, 0);
        for (let other = 0; other < SOURCES.length; other += 1) {
          t.is(text.includes(`CODE-${other}XY`), other === index, text);
          t.is(text.includes(`Merchant${other}`), other === index, text);
        }
        const codes = ((await page?.codes()) ?? []).map((code) => code.text);
        t.deepEqual([...new Set(codes)].sort(), [`CODE-${index}XY`, `https://p.test/track/SHORT${index}`]);
        t.deepEqual(await contentsOf(pdf), await contentsOf(alone[index] ?? Buffer.of()), NAMES[index]);
      }
    },
  );
}

test.serial('press: an unprintable job fails alone', async (t) => {
  const { press } = startPress();
  const bad: PressJob = {
    type: 'thermal',
    sheets: 1,
    labels: 1,
    inPlace: () => {
      throw new Error('no such label');
    },
  };
  const twoPages: PressJob = {
    ...bad,
    inPlace: () => '<div><p>one</p><p style="break-before:page">two</p></div>',
  };

  const first = press.print(jobOf('first'));
  const settled = await Promise.allSettled([bad, jobOf('second'), twoPages, jobOf('third')].map(press.print));

  t.regex((await readPdf(await first))[0]?.text ?? '', /first/);
  const texts = await Promise.all(
    settled.map(async (one) => {
      if (one.status === 'rejected') return String(one.reason);
      return (await readPdf(one.value)).map((page) => page.text.trim());
    }),
  );
  t.deepEqual(texts, ['Error: no such label', ['second'], ['one', 'two'], ['third']]);
});

test.serial(
  'press: jobs that share a font are printed separately, because the font holds the letters of both',
  async (t) => {
    const { press, printed } = startPress();
    const of = (text: string) => ({
      ...jobOf(text),
      inPlace: () => `<div style="font-family:serif">${text}</div>`,
    });

    const pdfs = await Promise.all(['warm', 'abc', 'xyz'].map((text) => press.print(of(text))));

    t.is(printed.length, 4);
    const texts = await Promise.all(pdfs.map(async (pdf) => (await readPdf(pdf))[0]?.text));
    t.deepEqual(texts, ['warm', 'abc', 'xyz']);
  },
);

test.serial(
  'press: small and large jobs take turns, and jobs on other paper wait for the next page',
  async (t) => {
    const { press, printed } = startPress();
    const large = { labels: 200 };

    await Promise.all(
      [
        jobOf('first'),
        jobOf('large-1', large),
        jobOf('large-2', large),
        jobOf('small-1'),
        jobOf('sheet-1', { type: 'A4' }),
        jobOf('small-2'),
      ].map(press.print),
    );

    const names = printed.map(({ body }) =>
      [...body.matchAll(/>([a-z]+(?:-\d)?)</g)].map(([, name]) => name),
    );
    t.deepEqual(names, [['large-1'], ['first', 'small-1', 'small-2'], ['large-2'], ['sheet-1']]);
  },
);

function jobOf(text: string, overrides: Partial<PressJob> = {}): PressJob {
  return {
    type: 'thermal',
    sheets: 1,
    labels: 1,
    inPlace: (place) => `<div class="p${place}">${text}</div>`,
    ...overrides,
  };
}

/** Number of a PDF's streams, and hashes of its fonts' streams. */
async function contentsOf(pdf: Buffer): Promise<{ fonts: string[]; streams: number }> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  const objects = document.context.enumerateIndirectObjects();
  const streams = objects.flatMap(([, object]) => (object instanceof PDFRawStream ? [object] : []));
  const contents = streams.map((stream) => Buffer.from(decodePDFRawStream(stream).decode()));
  const fonts = contents.filter((bytes, index) => {
    return streams[index]?.dict.has(PDFName.of('Length1')) === true || bytes.includes('begincmap');
  });
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { fonts: fonts.map(hashOf).sort(), streams: streams.length };
}
