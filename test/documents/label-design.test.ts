import { createHash } from 'node:crypto';
import test from 'ava';
import { composeLabels, DESIGN_VERSION } from '../../src/documents/labels/document.js';
import { renderHtml, sheetsOf } from '../../src/documents/labels/html.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import { ALL_FLAGS, fullHebrewSource, labelSource } from '../support/label-sources.js';

/** The released design. Labels of another design are stored under another version. */
const RELEASED = { version: 9, digest: 'bb312ddb011d4bf7' };

test('a changed design needs a new version, so that old labels are not served', async (t) => {
  const cod = { amount: '123456.90', currency: 'ILS' };
  const items = [{ name: 'Shirt', sku: 'S-1', variation: 'Blue', quantity: 2, virtual: false }];
  const sources = [
    labelSource({ shipment: { packages: 2, cod }, flags: ALL_FLAGS, items, details: { note: 'Ring twice' } }),
    fullHebrewSource(),
    labelSource({ account: { locale: 'ar', orderNumberBarcode: true }, details: { urgent: true } }),
  ];

  const rendered = (['thermal', 'A4'] as const).flatMap((labelType) =>
    sources.map(async (source) => {
      const document = await composeLabels(
        [source],
        { ...DEFAULT_LABEL_OPTIONS, labelType },
        { baseUrl: 'https://p.test' },
      );
      return renderHtml(document, sheetsOf(document), { logo: null });
    }),
  );

  const pages = await Promise.all(rendered);
  const digest = createHash('sha256').update(pages.join('\n')).digest('hex').slice(0, 16);
  t.deepEqual(
    { version: DESIGN_VERSION, digest },
    RELEASED,
    'the page changed: raise DESIGN_VERSION, then note version and digest here',
  );
});
