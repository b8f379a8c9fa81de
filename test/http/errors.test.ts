import { randomUUID } from 'node:crypto';
import test from 'ava';
import { ERROR_STATUS } from '../../src/domain/errors.js';
import { v2Routes } from '../../src/http/v2/routes.js';
import {
  creationBody,
  type HttpAccount,
  type HttpLicense,
  type HttpStack,
  type SendOptions,
  startHttp,
} from '../support/http.js';

let http: HttpStack;
let account: HttpAccount;
let license: HttpLicense;
let other: HttpAccount;
let lapsed: HttpAccount;
let several: HttpAccount;
let foreignUuid: string;
let ownUuid: string;

test.before(async () => {
  http = await startHttp();
  account = await http.account();
  license = await http.license(account.id);
  other = await http.account();
  const otherLicense = await http.license(other.id);
  foreignUuid = (await http.shipment(other.id, otherLicense, { orderId: 'theirs' })).uuid;
  ownUuid = (await http.shipment(account.id, license, { orderId: 'ours' })).uuid;
  lapsed = await http.account();
  await http.license(lapsed.id, { key: `expired-${lapsed.id}`, expiresAt: '2020-01-01T00:00:00.000000Z' });
  await http.license(lapsed.id, { key: `inactive-${lapsed.id}`, isActive: false });
  several = await http.account();
  await http.license(several.id);
  await http.license(several.id);
});
test.after.always(() => http?.close());

type Case = [
  what: string,
  code: keyof typeof ERROR_STATUS,
  method: string,
  path: string,
  options: () => SendOptions,
  field?: string,
];
const own =
  (options: SendOptions = {}) =>
  () => ({ as: account, ...options });
const ship = (ship_data: object) => own({ json: creationBody({ ship_data }) });
const order = (values: object) => own({ json: creationBody({ order: values }) });
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const CASES: Case[] = [
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
  ['duplicate keys', 'malformed_json', 'POST', '/shipments', own({ raw: '{"a":1,"\\u0061":2}' })],
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
  ['order.currency', 'validation_failed', 'POST', '/shipments', order({ currency: 'ZZZ' }), 'order.currency'],
  ['order.billing', 'validation_failed', 'POST', '/shipments', order({ billing: 'x' }), 'order.billing'],
  [
    'order.shipping too large',
    'validation_failed',
    'POST',
    '/shipments',
    order({ shipping: { a: 'x'.repeat(65_536) } }),
    'order.shipping',
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

for (const [what, code, method, path, options, field] of CASES) {
  test(`${method} ${what}: ${code}`, async (t) => {
    const requestId = randomUUID();

    const answer = await http.send(method, path, {
      ...options(),
      headers: { 'x-request-id': requestId, ...options().headers },
    });

    t.is(answer.body?.error.code, code, answer.text);
    t.is(answer.status, ERROR_STATUS[code]);
    t.is(answer.body.error.status, answer.status);
    t.is(answer.headers.get('x-request-id'), requestId);
    t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    t.deepEqual(Object.keys(answer.body), ['error']);
    t.is('fields' in answer.body.error, code === 'validation_failed');
    if (field !== undefined) t.true(Array.isArray(answer.body.error.fields[field]), answer.text);
    t.is(answer.headers.has('allow'), code === 'method_not_allowed');
    t.is(answer.headers.has('retry-after'), code === 'service_unavailable');
    t.false(answer.text.includes('secret detail'));
  });
}

test('a refusal by the carrier on cancellation is 409', async (t) => {
  const answer = await http.send('POST', `/shipments/${ownUuid}/cancel`, {
    as: account,
    json: { reason: 'refuse' },
  });

  t.is(answer.status, 409);
  t.is(answer.body.error.code, 'shipment_not_cancellable');
});

for (const route of v2Routes.filter((each) => !each.public)) {
  test(`${route.operationId} needs credentials`, async (t) => {
    const path = route.path.replace('{uuid}', ownUuid).replace('{order}', 'ours');

    const missing = await http.send(route.method.toUpperCase(), path);
    const invalid = await http.send(route.method.toUpperCase(), path, {
      as: account,
      headers: { 'x-client-secret': 'sk_no' },
    });

    t.is(missing.status, 401);
    t.is(missing.body.error.message, 'Missing API credentials. Send X-Client-Id and X-Client-Secret.');
    t.is(invalid.status, 401);
    t.is(invalid.body.error.message, 'Invalid API client credentials.');
  });
}

for (const route of v2Routes.filter((each) => each.path.includes('{'))) {
  test(`${route.operationId} answers another account's object as a missing one`, async (t) => {
    const method = route.method.toUpperCase();
    const theirs = route.path.replace('{uuid}', foreignUuid).replace('{order}', 'theirs');
    const missing = route.path.replace('{uuid}', randomUUID()).replace('{order}', 'none');

    const one = await http.send(method, theirs, { as: account });
    const two = await http.send(method, missing, { as: account });

    t.is(one.status, 404);
    t.is(one.text, two.text);
  });
}

test('an account without API access is refused like unknown credentials', async (t) => {
  const closed = await http.account({ enableApi: false });

  const answer = await http.send('GET', '/account', { as: closed });

  t.is(answer.status, 401);
  t.is(answer.body.error.message, 'Invalid API client credentials.');
});
