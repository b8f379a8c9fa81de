import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { issueToken } from '../../src/services/accounts/access-tokens.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { fillShipments } from '../support/bulk.js';
import { insertTestLicense } from '../support/factories.js';
import { startStack } from '../support/stack.js';
import { setAppSecret } from '../support/v1.js';
import { measure, percentile, type Sample, timesOf } from './measure.js';
import { BenchProcesses, creation } from './processes.js';

const ROUNDS = 12;
const COUNT = 20;
const WARM_UP = 300;
const PROVIDER = 'independent';
/** Shipments of all recipients together. */
const SHIPMENTS = Number(process.env.BENCH_SHIPMENTS ?? 1_000_000);
/** Parcels of the recipient who asks. */
const OWN = 500;
const PHONE = '0501234567';
const APP_SECRET = 'bench-secret';
const ASKED = 60;

/** `open_new_order` beside `POST /shipments` in alternating rounds, and the recipient's list among a million shipments. */
const stack = await startStack();
const processes = new BenchProcesses(stack);
try {
  await processes.startWorker();
  const url = await processes.startApi();
  await creations(url);
  await recipientLists(url);
} finally {
  await processes.stop();
  await stack.close();
}

async function creations(url: string): Promise<void> {
  const v2 = creation(new ApiClient(url, stack.account), stack, PROVIDER);
  const v1 = async () => {
    const { ship_data, order } = shipmentBody(stack.account, PROVIDER);
    const answer = await post(url, '/shipping/open_new_order', {
      license_key: stack.account.licenseKeys[PROVIDER],
      domain: 'shop.example',
      ship_data,
      order: { ...order, id: randomUUID() },
    });
    if (!answer.includes('"success":true')) throw new Error(answer);
  };
  await measure(v2, { count: WARM_UP, width: 8 });
  await measure(v1, { count: WARM_UP, width: 8 });
  const samples: Record<'v1' | 'v2', Sample[]> = { v1: [], v2: [] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.v2.push(await measure(v2, { count: COUNT, width: 1 }));
    samples.v1.push(await measure(v1, { count: COUNT, width: 1 }));
  }
  const p50 = (of: Sample[]) => percentile(timesOf(of), 0.5);
  const [one, two] = [p50(samples.v1), p50(samples.v2)];
  console.log(
    `open_new_order p50 ${one.toFixed(1)} ms, POST /shipments ${two.toFixed(1)} ms: ${(one / two).toFixed(2)} of it`,
  );
}

async function recipientLists(url: string): Promise<void> {
  const { db } = stack;
  const license = await insertTestLicense(db);
  await fillShipments(db, license, SHIPMENTS);
  await db.run('UPDATE shipments SET recipient_phone_key = recipient_phone');
  await db.run(`UPDATE shipments SET recipient_phone_key = ? ORDER BY id DESC LIMIT ${OWN}`, [PHONE]);
  await db.select('ANALYZE TABLE shipments');
  await setAppSecret(stack, APP_SECRET);
  const { insertId } = await db.run("INSERT INTO recipients (name, phone) VALUES ('Dana', ?)", [PHONE]);
  const token = await issueToken(db, { recipientId: insertId, name: 'bench' });
  const headers = {
    accept: 'application/json',
    'x-app-secret': APP_SECRET,
    authorization: `Bearer ${token}`,
  };
  console.log(`\nphone_number among ${SHIPMENTS} shipments, ${OWN} of them the recipient's, 100 a page`);
  for (const [name, query] of Object.entries(filters(license.licenseId))) {
    const ask = async () => {
      const { statusCode, body } = await request(`${url}/api/shipping/phone_number${query}`, { headers });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(text);
    };
    await measure(ask, { count: 3, width: 1 });
    const { sorted } = await measure(ask, { count: ASKED, width: 1 });
    const ms = (share: number) => `${percentile(sorted, share).toFixed(1)} ms`;
    console.log(`  ${name.padEnd(24)} p50 ${ms(0.5)}  p95 ${ms(0.95)}  max ${ms(1)}`);
  }
}

function filters(licenseId: number): Record<string, string> {
  return {
    'no filter': '',
    'page 5': '?page=5',
    license: `?license=${licenseId}`,
    'type regular': '?type=regular',
    'type cod': '?type=cod',
    'from and to': '?from=2020-01-01&to=2100-01-01',
    'active only': '?active_only=1',
    'label generated': '?label_generated=0',
    'sorted by name': '?sort_by=name&sort_direction=asc',
    'search (substring)': '?search=boss',
    'search, nothing found': '?search=nobody-has-this',
    'name (substring)': '?name=Levi',
    'address (substring)': '?address=Dizengoff',
    'order_id (substring)': '?order_id=bulk',
    'shipping_code (substring)': '?shipping_code=T7',
    'status (substring)': '?status=reat',
    'search_by name and code': '?search_by[name]=Levi&search_by[shipping_code]=7',
  };
}

async function post(url: string, path: string, json: object): Promise<string> {
  const { body } = await request(`${url}/api${path}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  return await body.text();
}
