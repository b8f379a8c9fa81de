import test from 'ava';
import { carrierNote, type NoteParts, type NoteRules } from '../../src/domain/order-note.js';

const RULES: NoteRules = {
  sendNote: true,
  products: false,
  productSkus: false,
  variations: false,
  virtualProducts: false,
};
const ITEMS: NoteParts['items'] = [
  { name: 'Mug', quantity: 2, total: '10.00', sku: 'M1', variation: 'Blue', virtual: false },
  { name: 'E-book', quantity: 1, total: '5.00', sku: null, variation: null, virtual: true },
];

const parts = (overrides: Partial<NoteParts> = {}): NoteParts => ({
  note: 'Ring twice',
  metaData: null,
  items: ITEMS,
  giftWord: 'Gift',
  read: (text) => text.trim(),
  ...overrides,
});

test('carrierNote: the note alone, or none if the license sends none', (t) => {
  t.is(carrierNote(parts(), RULES), 'Ring twice');
  t.is(carrierNote(parts({ note: null }), RULES), null);
  t.is(carrierNote(parts({ metaData: { is_gift: true } }), { ...RULES, sendNote: false }), null);
});

for (const [metaData, expected] of [
  [[{ key: '_gift_note', value: 'Happy birthday' }], 'Ring twice | Gift: Happy birthday'],
  [{ gift_message: 'מזל טוב' }, 'Ring twice | Gift: מזל טוב'],
  [{ is_gift: 'yes' }, 'Ring twice | Gift'],
  [
    [
      { key: 'is_gift', value: 1 },
      { key: 'gift_message', value: ' With love ' },
    ],
    'Ring twice | Gift: With love',
  ],
  [{ is_gift: 'no' }, 'Ring twice'],
  [{ is_gift: 0 }, 'Ring twice'],
  [{ gift_message: { text: 'x' } }, 'Ring twice'],
  ['gift_message', 'Ring twice'],
] as const) {
  test(`carrierNote: meta data ${JSON.stringify(metaData)}`, (t) => {
    t.is(carrierNote(parts({ metaData }), RULES), expected);
  });
}

test('carrierNote: products follow the switches', (t) => {
  t.is(carrierNote(parts({ note: null }), { ...RULES, products: true }), '2 x Mug');
  t.is(
    carrierNote(parts(), {
      ...RULES,
      products: true,
      productSkus: true,
      variations: true,
      virtualProducts: true,
    }),
    'Ring twice | 2 x Mug, Blue, M1; 1 x E-book',
  );
  t.is(carrierNote(parts({ items: [] }), { ...RULES, products: true }), 'Ring twice');
});
