import test from 'ava';
import { creationBody, type SendOptions, startHttp } from '../support/http.js';
import { assertRefused, type RefusedCase, titleOf } from '../support/refused.js';

const http = await startHttp();
const account = await http.account();
await http.license(account.id);
test.after.always(() => http.close());

const own =
  (options: SendOptions = {}) =>
  () => ({ as: account, ...options });
const ship = (ship_data: object) => own({ json: creationBody({ ship_data }) });
const order = (values: object) => own({ json: creationBody({ order: values }) });

const CASES: RefusedCase[] = [
  [
    'contact_name missing',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ contact_name: undefined }),
    'ship_data.contact_name',
  ],
  [
    'contact_name blank',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ contact_name: '  ' }),
    'ship_data.contact_name',
  ],
  [
    'contact_name too long',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ contact_name: 'x'.repeat(256) }),
    'ship_data.contact_name',
  ],
  [
    'contact_phone too long',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ contact_phone: '1'.repeat(33) }),
    'ship_data.contact_phone',
  ],
  [
    'contact_mail',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ contact_mail: 'nobody' }),
    'ship_data.contact_mail',
  ],
  ['street', 'validation_failed', 'POST', '/shipments', ship({ street: undefined }), 'ship_data.street'],
  ['city', 'validation_failed', 'POST', '/shipments', ship({ city: '' }), 'ship_data.city'],
  [
    'number too long',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ number: '1'.repeat(33) }),
    'ship_data.number',
  ],
  ['type', 'validation_failed', 'POST', '/shipments', ship({ type: 3 }), 'ship_data.type'],
  ['return', 'validation_failed', 'POST', '/shipments', ship({ return: '1' }), 'ship_data.return'],
  ['packages', 'validation_failed', 'POST', '/shipments', ship({ packages: 100 }), 'ship_data.packages'],
  [
    'exaction_date',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ exaction_date: '2026-13-01' }),
    'ship_data.exaction_date',
  ],
  [
    'cod without amount',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ is_cod: true }),
    'ship_data.cod_amount',
  ],
  [
    'cod below zero',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ cod_amount: -1 }),
    'ship_data.cod_amount',
  ],
  [
    'NUL',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ contact_name: 'a\0b' }),
    'ship_data.contact_name',
  ],
  [
    'half a surrogate pair',
    'validation_failed',
    'POST',
    '/shipments',
    own({ raw: JSON.stringify(creationBody()).replace('Dana', '\\ud800') }),
    'ship_data.contact_name',
  ],
  ['order.id', 'validation_failed', 'POST', '/shipments', order({ id: '' }), 'order.id'],
  [
    'order.id too long',
    'validation_failed',
    'POST',
    '/shipments',
    order({ id: 'x'.repeat(192) }),
    'order.id',
  ],
  ['order.total', 'validation_failed', 'POST', '/shipments', order({ total: '1,5' }), 'order.total'],
  [
    'order.total that rounds up to thirteen digits',
    'validation_failed',
    'POST',
    '/shipments',
    order({ total: '999999999999.995' }),
    'order.total',
  ],
  [
    'order.total that rounds down to thirteen digits',
    'validation_failed',
    'POST',
    '/shipments',
    order({ total: '-999999999999.995' }),
    'order.total',
  ],
  [
    'total of an item that rounds up to thirteen digits',
    'validation_failed',
    'POST',
    '/shipments',
    order({
      items: [
        { name: 'a', quantity: 1 },
        { name: 'b', quantity: 1, total: '999999999999.999' },
      ],
    }),
    'order.items.1.total',
  ],
  [
    'cod_amount that rounds up to thirteen digits',
    'validation_failed',
    'POST',
    '/shipments',
    ship({ cod_amount: '999999999999.995' }),
    'ship_data.cod_amount',
  ],
  ['order.currency', 'validation_failed', 'POST', '/shipments', order({ currency: 'ZZZ' }), 'order.currency'],
  ['order.billing', 'validation_failed', 'POST', '/shipments', order({ billing: 'x' }), 'order.billing'],
  [
    'a long name in order.meta_data',
    'validation_failed',
    'POST',
    '/shipments',
    order({ meta_data: [{ ['n'.repeat(1025)]: 1 }] }),
    'order.meta_data',
  ],
  [
    'order.shipping too large',
    'validation_failed',
    'POST',
    '/shipments',
    order({ shipping: { a: 'x'.repeat(65_536) } }),
    'order.shipping',
  ],
  [
    'order that is small as sent and too large as it is kept',
    'validation_failed',
    'POST',
    '/shipments',
    own({
      raw: JSON.stringify(creationBody()).replace(
        '"order":{',
        `"order":{"meta_data":[${'9e15,'.repeat(20_000)}1],`,
      ),
    }),
    'order',
  ],
  [
    'order.items',
    'validation_failed',
    'POST',
    '/shipments',
    order({ items: [{ name: 'a', quantity: 0 }] }),
    'order.items.0.quantity',
  ],
  [
    'key too long',
    'validation_failed',
    'POST',
    '/shipments',
    own({ json: creationBody(), headers: { 'idempotency-key': 'k'.repeat(256) } }),
    'Idempotency-Key',
  ],
  [
    'key with a space',
    'validation_failed',
    'POST',
    '/shipments',
    own({ json: creationBody(), headers: { 'idempotency-key': 'a b' } }),
    'Idempotency-Key',
  ],
  [
    'empty key',
    'validation_failed',
    'POST',
    '/shipments',
    own({ json: creationBody(), headers: { 'idempotency-key': '""' } }),
    'Idempotency-Key',
  ],
];

for (const one of CASES) {
  test(titleOf(one), (t) => assertRefused(t, http, one));
}
