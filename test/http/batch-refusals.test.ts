import { randomUUID } from 'node:crypto';
import test from 'ava';
import { type SendOptions, startHttp } from '../support/http.js';
import { assertRefused, type RefusedCase, titleOf } from '../support/refused.js';

const http = await startHttp();
const account = await http.account();
await http.license(account.id);
const several = await http.account();
await http.license(several.id);
await http.license(several.id);
test.after.always(() => http.close());

const asOwn =
  (options: SendOptions = {}) =>
  () => ({ as: account, ...options });

const CASES: RefusedCase[] = [
  [
    'batch without items',
    'validation_failed',
    'POST',
    '/batches',
    asOwn({ json: { shipments: [] } }),
    'shipments',
  ],
  ['bare array without items', 'validation_failed', 'POST', '/batches', asOwn({ json: [] }), 'shipments'],
  ['batch without shipments', 'validation_failed', 'POST', '/batches', asOwn({ json: {} }), 'shipments'],
  [
    'shipments no array',
    'validation_failed',
    'POST',
    '/batches',
    asOwn({ json: { shipments: {} } }),
    'shipments',
  ],
  ['batch is a text', 'validation_failed', 'POST', '/batches', asOwn({ json: 'x' }), 'body'],
  [
    'batch of a foreign license',
    'forbidden',
    'POST',
    '/batches',
    asOwn({ json: { license_key: 'no', shipments: [{}] } }),
  ],
  ['bare batch of a foreign license', 'forbidden', 'POST', '/batches?license_key=no', asOwn({ json: [{}] })],
  [
    'batch: several licenses',
    'validation_failed',
    'POST',
    '/batches',
    () => ({ as: several, json: [{}] }),
    'license_key',
  ],
  [
    '16 MiB and more',
    'payload_too_large',
    'POST',
    '/batches',
    asOwn({ raw: Buffer.alloc(2 ** 24 + 1, 0x20) }),
  ],
  [
    'batch: key',
    'validation_failed',
    'POST',
    '/batches',
    asOwn({ json: [{}], headers: { 'idempotency-key': 'a b' } }),
    'Idempotency-Key',
  ],
  [
    'large batch: a key that is none comes after the body',
    'malformed_json',
    'POST',
    '/batches',
    asOwn({ raw: `[{]${' '.repeat(200_000)}`, headers: { 'idempotency-key': 'a b' } }),
  ],
  [
    'large batch: a key that is none',
    'validation_failed',
    'POST',
    '/batches',
    asOwn({ raw: `[{}]${' '.repeat(200_000)}`, headers: { 'idempotency-key': 'a b' } }),
    'Idempotency-Key',
  ],
  ['batches: per_page', 'validation_failed', 'GET', '/batches?per_page=101', asOwn(), 'per_page'],
  ['batches: cursor', 'validation_failed', 'GET', '/batches?cursor=x', asOwn(), 'cursor'],
  ['batches: foreign license', 'forbidden', 'GET', '/batches?license_key=no', asOwn()],
  ['batch: no uuid', 'not_found', 'GET', '/batches/1', asOwn()],
  ['batch: unknown', 'not_found', 'GET', `/batches/${randomUUID()}`, asOwn()],
  ['batch items: unknown', 'not_found', 'GET', `/batches/${randomUUID()}/items`, asOwn()],
  ['batch retry: unknown', 'not_found', 'POST', `/batches/${randomUUID()}/retry`, asOwn({ json: {} })],
  ['batch cancel: unknown', 'not_found', 'POST', `/batches/${randomUUID()}/cancel`, asOwn({ json: {} })],
];

for (const one of CASES) {
  test(titleOf(one), (t) => assertRefused(t, http, one));
}
