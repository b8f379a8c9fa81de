import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { CarrierAdapter } from '../../src/carriers/contract.js';
import { carrierFor } from '../../src/carriers/registry.js';
import { insertStoreSite } from '../../src/db/queries/accounts/store-sites.js';
import { insertWebhook } from '../../src/db/queries/webhooks/webhooks.js';
import type { ApiParts } from '../../src/services/app.js';
import type { Owner } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { accounts, endless, hang, openRequest } from '../support/held-requests.js';
import { type HttpAccount, type HttpStack, startHttp } from '../support/http.js';
import { type Linked, linkDocuments } from '../support/links.js';
import { sendV1 } from '../support/v1.js';

const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');

const SLOW: [what: string, path: string, headers: (account: HttpAccount) => Record<string, string>][] = [
  ['v1', '/api/shipping/get_shipping_status', () => ({})],
  ['v2', '/api/v2/shipments', ({ headers }) => headers],
];
for (const [what, path, headersOf] of SLOW) {
  test(`${what}: bodies that do not come take no place of work, and are limited per caller`, async (t) => {
    const http = await startHttp({ config: { maxOpenRequests: 4, maxWorkingRequests: 4, trustProxy: 1 } });
    t.teardown(() => http.close());
    const [reader, ...slow] = await accounts(http, 4);
    const open = async (account: HttpAccount, address: string) => {
      const headers = { ...headersOf(account), 'X-Forwarded-For': address };
      const opened = await openRequest(http, path, headers, 10);
      t.teardown(() => opened.socket.destroy());
      return opened.answer;
    };
    const answers: string[] = [];

    for (const [index, account] of slow.entries()) {
      // The addresses of one /64 are one caller.
      for (const place of [1, 2, 3]) answers.push(await open(account, `2001:db8:0:${index}::${place}`));
    }
    const others = await http.send('GET', '/account', reader === undefined ? {} : { as: reader });

    const ofOne = ['HTTP/1.1 100', 'HTTP/1.1 100', 'HTTP/1.1 503'];
    t.deepEqual(answers, [...ofOne, ...ofOne, ...ofOne]);
    t.is(others.status, 200);
  });
}

const WAITING: [what: string, start: (owner: Owner, place: WaitingPlace) => void][] = [
  ['GET /shipping/label as HTML', (owner, { url, label }) => hang(owner, `${url}${label}?output=html`)],
  ['GET /shipping/label', (owner, { url, label }) => hang(owner, `${url}${label}`)],
  ['GET /storage/document', (owner, { url, document }) => hang(owner, `${url}${document}`)],
  [
    'GET /pickup-points',
    (owner, { url, account }) => hang(owner, `${url}/api/v2/pickup-points`, { headers: account.headers }),
  ],
  [
    'v1 pickup_locations',
    (owner, { url, key }) =>
      hang(owner, `${url}/api/shipping/pickup_locations?license_key=${key}&domain=x`, { method: 'POST' }),
  ],
  [
    'v1 activate_license',
    (owner, { url, key }) => hang(owner, `${url}/api/license/activate_license?license_key=${key}&domain=x`),
  ],
  [
    'v1 change_order_status',
    (owner, { url, key, code }) => {
      const query = new URLSearchParams({ license_key: key, domain: 'x', shipping_id: code });
      hang(owner, `${url}/api/shipping/change_order_status?${query}`, { method: 'POST' });
    },
  ],
  [
    'POST /webhooks',
    (owner, place) =>
      post(owner, place, '/webhooks', { url: 'https://shop.test/', events: ['shipment.created'] }),
  ],
  [
    'PATCH /webhooks/{id}',
    (owner, place) =>
      post(owner, place, `/webhooks/${place.webhookId}`, { url: 'https://shop.test/' }, 'PATCH'),
  ],
  ['POST /exports', (owner, place) => post(owner, place, '/exports', {})],
  [
    'POST /batches with a body that a thread reads',
    (owner, place) => post(owner, place, '/batches', { shipments: [{ note: 'x'.repeat(1024 * 1024) }] }),
  ],
  ['GET /storage/export', (owner, { url, exportFile }) => hang(owner, `${url}${exportFile}`)],
];

function post(
  owner: Owner,
  { url, account }: WaitingPlace,
  path: string,
  body: object,
  method = 'POST',
): void {
  const headers = { ...account.headers, ...JSON_TYPE };
  hang(owner, `${url}/api/v2${path}`, { method, headers, body: JSON.stringify(body) });
}

const JSON_TYPE = { 'content-type': 'application/json' };
interface WaitingPlace extends Linked {
  url: string;
  account: HttpAccount;
  key: string;
  /** Of a shipment. */
  code: string;
  webhookId: string;
}

/** Nobody outside the process answers a call. */
function silentOutside(
  { db, storage, outbound, temporal }: ApiParts,
  call: () => Promise<never>,
): Partial<ApiParts> {
  return {
    carriers: withPoints,
    storage: { ...storage, read: call, open: call },
    outbound: { ...outbound, refusal: call, post: call },
    temporal: { ...temporal, withDeadline: call } as unknown as ApiParts['temporal'],
    db: { ...db, select: (sql, values) => (sql.includes('FROM batches') ? call() : db.select(sql, values)) },
  };
}

function withPoints(provider: string): CarrierAdapter {
  return {
    ...carrierFor(provider),
    pickupPoints: async () => ({ kind: 'unavailable', text: '' }),
  };
}

/** Everything that a case may ask for. */
async function waitingPlace(http: HttpStack): Promise<WaitingPlace> {
  const { db, url } = http;
  const { account, license } = await http.own();
  await db.run('UPDATE accounts SET company_logo = ? WHERE id = ?', ['https://shop.test/logo', account.id]);
  const code = randomUUID();
  await http.shipment(account.id, license, { columns: { tracking_code: code } });
  await insertStoreSite(db, {
    accountId: account.id,
    licenseId: license.id,
    platform: 'other',
    domain: 'shop.test',
    callbackUrl: 'https://shop.test/told',
  });
  const webhookId = randomUUID();
  await insertWebhook(
    db,
    { accountId: account.id, licenseId: license.id, id: webhookId },
    { url: 'https://shop.test/', events: ['shipment.created'], secret: Buffer.from('sealed'), limit: 20 },
  );
  return {
    url,
    account,
    key: license.key,
    code,
    webhookId,
    ...(await linkDocuments(http, account, license)),
  };
}

for (const [what, start] of WAITING) {
  test(`${what}: other requests are served when one waits for others`, async (t) => {
    const { call, called } = endless();
    const http = await startHttp({
      config: { maxWorkingRequests: 1, shutdownGraceMs: 100 },
      app: (made) => silentOutside(made, call),
    });
    t.teardown(() => http.close());
    const place = await waitingPlace(http);
    start(t, place);
    await called;

    const answer = await http.send('GET', '/account', { as: place.account });

    t.is(answer.status, 200);
  });
}

test('one caller has a quarter of the open requests for waits, in both APIs together', async (t) => {
  let asked = 0;
  const refreshPickupPoints = async () => {
    asked += 1;
    if (asked <= 2) await new Promise<never>(() => undefined);
  };
  const http = await startHttp({
    config: { maxOpenRequests: 8, shutdownGraceMs: 100 },
    app: () => ({ carriers: withPoints }),
    runs: () => ({ refreshPickupPoints }),
  });
  t.teardown(() => http.close());
  const [one, other] = [await http.account(), await http.account()];
  const { key } = await http.license(one.id);
  await http.license(other.id);
  hang(t, `${http.url}/api/v2/pickup-points`, { headers: one.headers });
  hang(t, `${http.url}/api/shipping/pickup_locations?license_key=${key}&domain=x`, { method: 'POST' });
  await eventually(() => asked === 2, 'the waits');

  const v2 = await http.send('GET', '/pickup-points', { as: one });
  const v1 = await sendV1(http, 'POST', '/shipping/pickup_locations', {
    json: { license_key: key, domain: 'x' },
  });
  const reading = await http.send('GET', '/account', { as: one });
  const others = await http.send('GET', '/pickup-points', { as: other });

  t.is(v2.status, 503);
  t.is(v2.body.error.code, 'service_unavailable');
  t.is(v1.status, 503);
  t.deepEqual(v1.body, { message: 'Service Unavailable' });
  for (const { headers } of [v2, v1]) t.truthy(headers.get('retry-after'));
  t.deepEqual([reading.status, others.status], [200, 200]);
  t.is(asked, 3);
});

test('an address waits for a limited number of labels at the same time', async (t) => {
  const { call, called } = endless();
  const http = await startHttp({
    config: { maxOpenRequests: 4, trustProxy: 1, shutdownGraceMs: 100 },
    app: ({ storage }) => ({
      storage: {
        ...storage,
        read: (key) => (key.startsWith('carrier-labels') ? Promise.resolve(PDF) : call()),
      },
    }),
  });
  t.teardown(() => http.close());
  const account = await http.account();
  const { label, document } = await linkDocuments(http, account, await http.license(account.id));
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  hang(t, http.url + label, from('192.0.2.1'));
  await called;
  const stored = http.url + document;

  const answers = [await fetch(stored, from('192.0.2.1')), await fetch(stored, from('192.0.2.2'))];

  t.deepEqual(
    answers.map(({ status }) => status),
    [503, 200],
  );
});
