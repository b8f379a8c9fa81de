import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { readDevJson } from '../../tools/launcher/state.js';
import { SHIP_DATA } from '../support/api-client.js';
import { descendants, memoryMib, shareMib } from '../support/memory.js';
import { startReceiver } from '../support/receiver.js';

const MINUTES = Number(process.argv[2] ?? 60);
const REST_MINUTES = Number(process.argv[3] ?? 5);
const LANES = 6;
/** Below the demo client's limit of 600 requests a minute. */
const REQUESTS_PER_MINUTE = 540;
const LICENSE = 'demo-run';
const KEPT = 500;

/**
 * Mixed load on a running `npm start -- --detach` for as many minutes as the first argument says (60), then a rest (5
 * minutes, the second). Prints the memory of each of its processes every few minutes and at the end. A browser's
 * processes share most of their memory, so that each is counted with its part (PSS); the others with all (RSS).
 */
const demo = readDevJson('demo.json');
if (demo.base_url === undefined) throw new Error('Nothing runs here: npm start -- --detach comes first.');
const baseUrl = String(demo.base_url);
const headers = {
  'x-client-id': String(demo.client_id),
  'x-client-secret': String(demo.client_secret),
  'content-type': 'application/json',
};
const statuses = new Map<string, number>();
const uuids: string[] = [];
const receiver = await startReceiver();
const endsAt = Date.now() + MINUTES * 60_000;
const webhook = await call('POST', '/webhooks', {
  license_key: LICENSE,
  url: receiver.url,
  events: ['shipment.created', 'shipment.cancelled'],
});
print('before');
await Promise.all([...Array.from({ length: LANES }, lane), reporter()]);
print('after the load');
for (let rested = 0; rested < REST_MINUTES; rested += 1) await delay(60_000);
print(`after ${REST_MINUTES} minutes of rest`);
console.log('answers:', Object.fromEntries([...statuses].sort()));
console.log('webhooks received:', receiver.requests.length);
if (typeof webhook?.id === 'string') await call('DELETE', `/webhooks/${webhook.id}?license_key=${LICENSE}`);
await receiver.close();

async function lane(): Promise<void> {
  const pauseMs = (60_000 / REQUESTS_PER_MINUTE) * LANES;
  while (Date.now() < endsAt) {
    const startedAt = Date.now();
    await anything();
    await delay(Math.max(0, pauseMs - (Date.now() - startedAt)));
  }
}

/** One request of the mix: creations most often, what is dear rarely. */
async function anything(): Promise<void> {
  const dice = Math.random();
  const uuid = uuids[Math.floor(Math.random() * uuids.length)];
  if (dice < 0.4 || uuid === undefined) return await create();
  if (dice < 0.6) return void (await call('GET', `/shipments/${uuid}`));
  if (dice < 0.75) return void (await call('GET', '/shipments?filter[active]=true&per_page=50'));
  if (dice < 0.87) return void (await call('GET', `/shipments/${uuid}/label`, undefined, 'application/pdf'));
  if (dice < 0.93) return void (await call('GET', `/shipments/${uuid}/status?refresh=true`));
  if (dice < 0.98) return void (await call('POST', `/shipments/${uuid}/cancel`, {}));
  if (dice < 0.997) {
    const shipments = Array.from({ length: 20 }, shipment);
    return void (await call('POST', '/batches', { license_key: LICENSE, shipments }));
  }
  await call('POST', '/exports', { license_key: LICENSE, format: dice < 0.9985 ? 'csv' : 'xlsx' });
}

async function create(): Promise<void> {
  const data = await call('POST', '/shipments', { license_key: LICENSE, ...shipment() });
  if (typeof data?.uuid !== 'string') return;
  uuids.push(data.uuid);
  if (uuids.length > KEPT) uuids.shift();
}

function shipment() {
  return {
    ship_data: SHIP_DATA,
    order: { id: `soak-${randomUUID()}`, total: '99.90', currency: 'ILS' },
  };
}

/** Sends a request and counts its status; the `data` of a JSON answer. */
async function call(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  accept = 'application/json',
): Promise<Record<string, unknown> | undefined> {
  const answer = await request(`${baseUrl}/api/v2${path}`, {
    method,
    headers: { ...headers, accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const kind = `${method} ${path.replace(/[0-9a-f-]{36}/, '…').replace(/\?.*/, '')} ${answer.statusCode}`;
  statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
  const text = await answer.body.text();
  return text.startsWith('{') ? JSON.parse(text).data : undefined;
}

async function reporter(): Promise<void> {
  for (let minute = 1; Date.now() < endsAt; minute += 1) {
    await delay(Math.min(60_000, Math.max(0, endsAt - Date.now())));
    if (minute % 5 === 0) print(`minute ${minute}`);
  }
}

/** The memory of the demo's processes now, in MiB. */
function print(when: string): void {
  const pids = readDevJson('demo.json').pids;
  if (typeof pids !== 'object' || pids === null) throw new Error('npm start is not running');
  const figures = Object.entries(pids).map(([name, pid]): [string, number] => [
    name,
    memoryMib(Number(pid), 'VmRSS'),
  ]);
  const browser = descendants(Number(new Map(Object.entries(pids)).get('worker')));
  const all = [...figures, ['browser', browser.reduce((sum, pid) => sum + shareMib(pid), 0)] as const];
  console.log(`${when}:`, all.map(([name, mib]) => `${name} ${Math.round(mib)}`).join(', '), 'MiB');
}
