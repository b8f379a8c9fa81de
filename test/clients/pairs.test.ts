import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { deliveryHeaders } from '../../src/outbound/webhook-signature.js';
import { projectFolder } from '../../tools/launcher/paths.js';
import { creationBody, startHttp } from '../support/http.js';
import { type Asked, type Pair, record } from '../support/recorded-pairs.js';

const FOLDER = join(projectFolder, 'clients/pairs');
const LICENSE = 'lic_main';
const SINCE = 1_795_253_400;
const SECRETS = { now: `whsec_${'now1'.repeat(10)}`, old: `whsec_${'old2'.repeat(10)}` };
const EVENT_ID = '019aa5a6-8d10-7c11-9a00-5a0f6f1e2b3c';

const http = await startHttp();
const account = await http.account();
await http.license(account.id, { key: LICENSE });
test.after.always(() => http.close());

/** Compares with the file; `RECORD_PAIRS` writes it. */
function keep(name: string, value: unknown): { kept: unknown; made: unknown } {
  const file = join(FOLDER, `${name}.json`);
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (process.env.RECORD_PAIRS !== undefined) writeFileSync(file, text);
  return { kept: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null, made: JSON.parse(text) };
}

const creation = (id: string) => ({ json: creationBody({ license_key: LICENSE, order: { id } }) });

async function recordAll(asked: readonly Asked[], as = account): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const one of asked) pairs.push(await record(http, { ...one, options: { as, ...one.options } }));
  return pairs;
}

test.serial('creations: what the service answers, and what that means to a client', async (t) => {
  const path = '/shipments';
  const ask = (name: string, order: string, means: Pick<Asked, 'outcome' | 'tries_again'>): Asked => ({
    name,
    method: 'POST',
    path,
    key: `shop-${order}-1`,
    options: creation(order),
    ...means,
  });
  const wrong = creationBody({ license_key: LICENSE, ship_data: { type: 3 }, order: { id: '1004' } });
  const foreign = creationBody({ license_key: 'another', order: { id: '1005' } });
  const unknown = { headers: { 'x-client-id': 'ci_nobody', 'x-client-secret': 'sk_wrong' } };

  const pairs = await recordAll([
    ask('created', '1001', { outcome: 'done' }),
    ask('repeated', 'replay-1002', { outcome: 'replayed' }),
    ask('still at work', 'slow-1003', { outcome: 'running' }),
    ask('other body under the key', 'idempotency_key_conflict', { outcome: 'refused' }),
    ask('the order has a parcel', 'duplicate_request', { outcome: 'refused' }),
    ask('refused by the carrier', 'carrier_rejected', { outcome: 'refused' }),
    { ...ask('wrong fields', '1004', { outcome: 'refused' }), options: { json: wrong } },
    { ...ask('a license of nobody here', '1005', { outcome: 'refused' }), options: { json: foreign } },
    {
      ...ask('unknown credentials', '1006', { outcome: 'refused' }),
      options: { ...creation('1006'), as: unknown },
    },
    ask('busy', 'service_unavailable', { outcome: 'unknown', tries_again: true }),
    ask('failed', 'bug', { outcome: 'unknown', tries_again: true }),
    { ...ask('batch', 'batch', { outcome: 'running' }), path: '/batches', options: batchOf('2001', '2002') },
  ]);

  const { kept, made } = keep('creations', pairs);
  t.deepEqual(kept, made);
  t.deepEqual(
    pairs.map(({ answer }) => answer.status),
    [201, 201, 202, 409, 409, 422, 422, 403, 401, 503, 500, 202],
  );
});

test.serial('too many requests: nothing was done', async (t) => {
  const narrow = await startHttp({ config: { rateLimitPerMinute: 1 } });
  t.teardown(() => narrow.close());
  const as = await narrow.account();
  await narrow.license(as.id, { key: LICENSE });
  const body = creation('1007');
  await narrow.send('GET', '/account', { as });

  const pair = await record(narrow, {
    name: 'too many requests',
    method: 'POST',
    path: '/shipments',
    key: 'shop-1007-1',
    options: { as, ...body },
    outcome: 'later',
    tries_again: true,
  });

  const { kept, made } = keep('too-many', [pair]);
  t.deepEqual(kept, made);
  t.is(pair.answer.status, 429);
});

test.serial('reads: a parcel, an unchanged one, none, and pages of both kinds', async (t) => {
  const own = await http.account();
  const license = await http.license(own.id, { key: 'lic_lists' });
  const { uuid } = await http.shipment(own.id, license, { orderId: '3001' });
  await http.shipment(own.id, license, { orderId: '3002' });
  const shown = await http.send('GET', `/shipments/${uuid}`, { as: own });
  const etag = shown.headers.get('etag') ?? '';
  const orders = await http.send('GET', '/orders?per_page=1', { as: own });
  const get = (name: string, path: string, outcome: Asked['outcome'] = 'done'): Asked => ({
    name,
    method: 'GET',
    path,
    outcome,
  });

  const pairs = await recordAll(
    [
      get('a parcel', `/shipments/${uuid}`),
      {
        ...get('a parcel that did not change', `/shipments/${uuid}`, 'unchanged'),
        options: { headers: { 'If-None-Match': etag } },
      },
      get('no such parcel', '/shipments/00000000-0000-4000-8000-000000000001', 'refused'),
      get('the first page by number', '/shipments?per_page=1&page=1&sort=created_at'),
      get('the last page by number', '/shipments?per_page=1&page=2&sort=created_at'),
      get('the first page by cursor', '/orders?per_page=1'),
      get('the last page by cursor', `/orders?per_page=1&cursor=${orders.body.meta.next_cursor}`),
    ],
    own,
  );

  const { kept, made } = keep('reads', pairs);
  t.deepEqual(kept, made);
  t.deepEqual(
    pairs.map(({ answer }) => answer.status),
    [200, 304, 404, 200, 200, 200, 200],
  );
});

test('webhooks: each event as it is signed, and what a receiver must refuse', (t) => {
  const signed = (body: string, secrets: readonly string[] = [SECRETS.now]) =>
    deliveryHeaders({
      event: JSON.parse(body).event,
      eventId: EVENT_ID,
      deliveryId: EVENT_ID,
      body,
      timestampSeconds: SINCE,
      secrets,
    });
  const events = SENT_EVENTS.events.map(({ event, example }) => {
    const body = JSON.stringify(example);
    return {
      name: event,
      body,
      headers: signed(body),
      secrets: [SECRETS.now],
      now_seconds: SINCE,
      is_valid: true,
    };
  });
  const [first] = events;
  if (first === undefined) throw new Error('there are no events');
  const { body } = first;
  const without = (start: string) =>
    Object.fromEntries(Object.entries(first.headers).filter(([name]) => !name.startsWith(start)));
  const hebrew = '{"event":"shipment.created","created_at":1795253400,"data":{"order":{"id":"הזמנה 7"}}}';

  const cases = [
    ...events,
    { ...first, name: 'text that is not ASCII', body: hebrew, headers: signed(hebrew) },
    { ...first, name: 'only our own signature', headers: without('webhook-') },
    { ...first, name: 'only the signature of Standard Webhooks', headers: without('x-service-signature') },
    {
      ...first,
      name: 'signed with two secrets',
      headers: signed(body, [SECRETS.now, SECRETS.old]),
      secrets: [SECRETS.old],
    },
    {
      ...first,
      name: 'a receiver that knows two secrets',
      headers: signed(body, [SECRETS.old]),
      secrets: [SECRETS.now, SECRETS.old],
    },
    { ...first, name: 'as old as the tolerance', now_seconds: SINCE + 300 },
    { ...first, name: 'older than the tolerance', now_seconds: SINCE + 301, is_valid: false },
    { ...first, name: 'from the future', now_seconds: SINCE - 301, is_valid: false },
    { ...first, name: 'another secret', secrets: [SECRETS.old], is_valid: false },
    { ...first, name: 'a changed body', body: body.replace('1', '2'), is_valid: false },
    {
      ...first,
      name: 'the same body, written in another way',
      body: JSON.stringify(JSON.parse(body), null, 2),
      is_valid: false,
    },
    { ...first, name: 'no signature', headers: { 'content-type': 'application/json' }, is_valid: false },
  ];

  const { kept, made } = keep('webhooks', { tolerance_seconds: 300, cases });
  t.deepEqual(kept, made);
  t.is(cases.filter(({ is_valid }) => !is_valid).length, 6);
});

function batchOf(...ids: string[]) {
  const shipments = ids.map((id) => creationBody({ order: { id } }));
  return { json: { license_key: LICENSE, shipments } };
}
