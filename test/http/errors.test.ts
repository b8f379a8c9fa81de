import { randomUUID } from 'node:crypto';
import test from 'ava';
import {
  creationBody,
  type HttpAccount,
  type HttpStack,
  type SendOptions,
  startHttp,
} from '../support/http.js';
import { assertRefused, type RefusedCase, titleOf } from '../support/refused.js';

let http: HttpStack;
let account: HttpAccount;
let lapsed: HttpAccount;
let several: HttpAccount;

test.before(async () => {
  http = await startHttp();
  account = await http.account();
  await http.license(account.id);
  lapsed = await http.account();
  await http.license(lapsed.id, { key: `expired-${lapsed.id}`, expiresAt: '2020-01-01T00:00:00.000000Z' });
  await http.license(lapsed.id, { key: `inactive-${lapsed.id}`, isActive: false });
  several = await http.account();
  await http.license(several.id);
  await http.license(several.id);
});
test.after.always(() => http?.close());

const own =
  (options: SendOptions = {}) =>
  () => ({ as: account, ...options });
const order = (values: object) => own({ json: creationBody({ order: values }) });
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const CASES: RefusedCase[] = [
  ['no credentials', 'unauthenticated', 'GET', '/account', () => ({})],
  [
    'half of the credentials',
    'unauthenticated',
    'GET',
    '/account',
    () => ({ headers: { 'x-client-id': 'x' } }),
  ],
  [
    'unknown client',
    'unauthenticated',
    'GET',
    '/account',
    () => ({ headers: { 'x-client-id': 'x', 'x-client-secret': 'y' } }),
  ],
  [
    'wrong secret',
    'unauthenticated',
    'GET',
    '/account',
    () => ({ as: account, headers: { 'x-client-secret': 'y' } }),
  ],
  ['unknown route', 'not_found', 'GET', '/nothing', own()],
  ['broken escape in the path', 'not_found', 'GET', '/orders/%ff', own()],
  ['other method', 'method_not_allowed', 'DELETE', '/shipments', own()],
  ['OPTIONS', 'method_not_allowed', 'OPTIONS', '/account', own()],
  ['list: foreign license', 'forbidden', 'GET', '/shipments?license_key=nope', own()],
  ['list: no usable license', 'forbidden', 'GET', '/shipments', () => ({ as: lapsed })],
  ['list: expired license', 'forbidden', 'GET', '/orders?license_key=expired', () => ({ as: lapsed })],
  [
    'create: no usable license',
    'forbidden',
    'POST',
    '/shipments',
    () => ({ as: lapsed, json: creationBody() }),
  ],
  [
    'create: expired license',
    'forbidden',
    'POST',
    '/shipments',
    () => ({ as: lapsed, json: creationBody({ license_key: `expired-${lapsed.id}` }) }),
  ],
  [
    'create: inactive license',
    'forbidden',
    'POST',
    '/shipments',
    () => ({ as: lapsed, json: creationBody({ license_key: `inactive-${lapsed.id}` }) }),
  ],
  [
    'create: several licenses',
    'validation_failed',
    'POST',
    '/shipments',
    () => ({ as: several, json: creationBody() }),
    'license_key',
  ],
  [
    'order: several licenses',
    'validation_failed',
    'GET',
    '/orders/1',
    () => ({ as: several }),
    'license_key',
  ],
  [
    'license_key of another type',
    'validation_failed',
    'POST',
    '/shipments',
    own({ json: { ...creationBody(), license_key: 5 } }),
    'license_key',
  ],
  ['per_page 0', 'validation_failed', 'GET', '/shipments?per_page=0', own(), 'per_page'],
  ['per_page 101', 'validation_failed', 'GET', '/orders?per_page=101', own(), 'per_page'],
  ['per_page no number', 'validation_failed', 'GET', '/shipments?per_page=1e1', own(), 'per_page'],
  ['per_page twice', 'validation_failed', 'GET', '/shipments?per_page=1&per_page=2', own(), 'per_page'],
  ['page 0', 'validation_failed', 'GET', '/shipments?page=0', own(), 'page'],
  ['filter[active]', 'validation_failed', 'GET', '/shipments?filter[active]=yes', own(), 'filter[active]'],
  ['filter[type]', 'validation_failed', 'GET', '/shipments?filter[type]=3', own(), 'filter[type]'],
  ['filter[status]', 'validation_failed', 'GET', '/shipments?filter[status]=gone', own(), 'filter[status]'],
  [
    'filter[created_from]',
    'validation_failed',
    'GET',
    '/shipments?filter[created_from]=2026-02-30',
    own(),
    'filter[created_from]',
  ],
  [
    'filter[created_to]',
    'validation_failed',
    'GET',
    '/shipments?filter[created_to]=now',
    own(),
    'filter[created_to]',
  ],
  ['sort', 'validation_failed', 'GET', '/shipments?sort=recipient_name', own(), 'sort'],
  ['cursor', 'validation_failed', 'GET', '/orders?cursor=abc', own(), 'cursor'],
  [
    'refresh',
    'validation_failed',
    'GET',
    `/shipments/${randomUUID()}/status?refresh=maybe`,
    own(),
    'refresh',
  ],
  ['body no JSON', 'malformed_json', 'POST', '/shipments', own({ raw: '{"a":' })],
  ['empty body', 'malformed_json', 'POST', '/shipments', own({ raw: '' })],
  ['__proto__', 'malformed_json', 'POST', '/shipments', own({ raw: '{"order":{"__proto__":{"a":1}}}' })],
  ['33 levels', 'malformed_json', 'POST', '/shipments', own({ raw: nested(33) })],
  ['number beyond 2^53', 'malformed_json', 'POST', '/shipments', own({ raw: '{"a":9007199254740993}' })],
  ['invalid UTF-8', 'malformed_json', 'POST', '/shipments', own({ raw: Buffer.from([0x22, 0xff, 0x22]) })],
  ['2 MiB', 'payload_too_large', 'POST', '/shipments', own({ raw: Buffer.alloc(2 ** 21, 0x20) })],
  [
    '2 MiB without credentials',
    'payload_too_large',
    'POST',
    '/shipments',
    () => ({ raw: Buffer.alloc(2 ** 21, 0x20) }),
  ],
  [
    'form body',
    'unsupported_media_type',
    'POST',
    '/shipments',
    own({ raw: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  ],
  [
    'other charset',
    'unsupported_media_type',
    'POST',
    '/shipments',
    own({ raw: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } }),
  ],
  [
    'encoded body',
    'unsupported_media_type',
    'POST',
    '/shipments',
    own({ raw: '{}', headers: { 'content-encoding': 'gzip' } }),
  ],
  ['body is a list', 'validation_failed', 'POST', '/shipments', own({ json: [] }), 'body'],
  [
    '32 levels are a matter of validation',
    'validation_failed',
    'POST',
    '/shipments',
    own({ raw: nested(32) }),
    'body',
  ],
  [
    'no ship_data',
    'validation_failed',
    'POST',
    '/shipments',
    own({ json: { order: { id: '1' } } }),
    'ship_data',
  ],
  ['carrier refuses', 'carrier_rejected', 'POST', '/shipments', order({ id: 'carrier_rejected' })],
  ['second shipment', 'duplicate_request', 'POST', '/shipments', order({ id: 'duplicate_request' })],
  [
    'key conflict',
    'idempotency_key_conflict',
    'POST',
    '/shipments',
    order({ id: 'idempotency_key_conflict' }),
  ],
  ['engine away', 'service_unavailable', 'POST', '/shipments', order({ id: 'service_unavailable' })],
  ['our own mistake', 'internal_error', 'POST', '/shipments', order({ id: 'bug' })],
  ['shipment: no uuid', 'not_found', 'GET', '/shipments/1', own()],
  ['shipment: unknown', 'not_found', 'GET', `/shipments/${randomUUID()}`, own()],
  ['status: unknown', 'not_found', 'GET', `/shipments/${randomUUID()}/status`, own()],
  ['cancel: unknown', 'not_found', 'POST', `/shipments/${randomUUID()}/cancel`, own()],
  [
    'cancel: reason',
    'validation_failed',
    'POST',
    `/shipments/${randomUUID()}/cancel`,
    own({ json: { reason: 5 } }),
    'reason',
  ],
  ['order: unknown', 'not_found', 'GET', '/orders/none', own()],
  ["order's shipments: unknown", 'not_found', 'GET', '/orders/none/shipments', own()],
];

for (const one of CASES) {
  test(titleOf(one), (t) => assertRefused(t, http, one));
}
