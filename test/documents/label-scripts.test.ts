import test from 'ava';
import { composeLabels } from '../../src/documents/labels/document.js';
import { renderHtml, sheetsOf } from '../../src/documents/labels/html.js';
import { printLabels } from '../../src/documents/labels/print.js';
import { DEFAULT_LABEL_OPTIONS, type LabelSource, type LabelType } from '../../src/domain/labels.js';
import { onePress } from '../support/label-press.js';
import { ALL_FLAGS, labelSource } from '../support/label-sources.js';
import { type PageBrowser, startPageBrowser } from '../support/page-browser.js';
import { patient } from '../support/patience.js';
import { readPdf } from '../support/pdf.js';
import { RECIPIENTS } from '../support/recipients.js';

const { press, pool } = onePress();
let browser: PageBrowser;
test.before(async () => {
  browser = await startPageBrowser();
});
test.after.always(() => Promise.all([pool.close(), browser?.close()]));

const LABELS = 50;
const PER_SHEET = 8;

async function printed(sources: readonly LabelSource[], labelType: LabelType): Promise<Buffer> {
  const options = { ...DEFAULT_LABEL_OPTIONS, labelType };
  const document = await composeLabels(sources, options, { baseUrl: 'https://p.test' });
  return await printLabels(document, { logo: null }, press);
}

/** A text longer than a line, of words that differ in their last letters. */
function long(city: string): string {
  return `${city} ${city}-${city} ${city} ${city} ${city} ${city} 64332`;
}

/** A label per recipient; every other one has a city of three lines. */
function sources(): LabelSource[] {
  return Array.from({ length: LABELS }, (_, index) => {
    const recipient = RECIPIENTS[index % RECIPIENTS.length];
    return labelSource({
      shipment: {
        trackingCode: String(70_000_000 + index),
        order: { rowId: 1, id: '1', number: `#${index}` },
      },
      recipient: {
        ...recipient?.address,
        city: index % 2 === 0 ? long(recipient?.address.city ?? '') : (recipient?.address.city ?? ''),
      },
      details: { note: recipient?.note ?? null },
    });
  });
}

/**
 * Only letters and digits: PDF readers place blanks, marks and directions differently. Some Arabic and Indic
 * letters are composed or joined, which a reader does not recognize.
 */
function lettersOf(text: string): string[] {
  return [...text.normalize('NFKC')].filter((character) =>
    /(?![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}])[\p{L}\p{N}]/u.test(character),
  );
}

for (const labelType of ['thermal', 'A4'] as const) {
  test.serial(
    `fifty labels in all scripts, ${labelType}: every code is readable, every letter has our fonts`,
    async (t) => {
      t.timeout(patient(120_000));
      const all = sources();

      const pages = await readPdf(await printed(all, labelType));
      const found = (await Promise.all(pages.map((page) => page.codes({ dpi: 203 })))).flat();
      const bars = found.filter(({ format }) => format === 'Code128').map(({ text }) => text);
      const fonts = new Set(pages.flatMap((page) => page.fonts));

      t.is(pages.length, labelType === 'thermal' ? LABELS : Math.ceil(LABELS / PER_SHEET));
      t.deepEqual(bars.sort(), all.map(({ shipment }) => shipment.trackingCode).sort());
      t.is(found.filter(({ format }) => format === 'QRCode').length, LABELS);
      for (const font of fonts) t.regex(font, /^[A-Z]{6}\+NotoSans|^Type3$/);
      for (const page of pages) t.is(page.missing, 0, page.text);
      t.is(
        pages
          .map(({ text }) => text)
          .join(' ')
          .split('64332').length - 1,
        LABELS / 2,
      );
      for (const [index, { recipient }] of all.entries()) {
        const text = lettersOf(
          pages[labelType === 'thermal' ? index : Math.floor(index / PER_SHEET)]?.text ?? '',
        );
        for (const letter of lettersOf(`${recipient.name}${recipient.street}${recipient.city}`)) {
          t.true(text.includes(letter), `${recipient.name} lacks ${letter}`);
        }
      }
    },
  );
}

/** Texts that reach further down than their label's room for them, in CSS pixels. */
const CUT_TEXTS = `[...document.querySelectorAll('.texts > *, .texts li')]
  .map((one) => [one.textContent, one.getBoundingClientRect().bottom - one.closest('.texts').getBoundingClientRect().bottom])
  .filter(([, below]) => below > 0.4)`;

for (const locale of ['en', 'he', 'ar']) {
  test.serial(`fifty labels in all scripts, ${locale}: no order, note or product is cut below`, async (t) => {
    t.timeout(patient(60_000));
    const items = RECIPIENTS.slice(0, 3).map(({ note, script }) => ({
      name: note ?? script,
      sku: 'Sky-7',
      quantity: 2,
      variation: null,
      virtual: false,
    }));
    const plain = sources().map((one) => ({ ...one, account: { ...one.account, locale } }));
    const all = plain.map((one, index) => (index % 3 === 0 ? { ...one, flags: ALL_FLAGS, items } : one));
    const { page } = await browser.open('about:blank');
    for (const labelType of ['thermal', 'A4'] as const) {
      const options = { ...DEFAULT_LABEL_OPTIONS, labelType };
      const document = await composeLabels(all, options, { baseUrl: 'https://p.test' });
      await page.setContent(await renderHtml(document, sheetsOf(document), { logo: null }));
      await page.evaluate('document.fonts.ready');

      t.is(await page.evaluate('document.querySelectorAll(".texts").length'), LABELS);
      t.deepEqual(await page.evaluate(CUT_TEXTS), [], labelType);
    }
  });
}
