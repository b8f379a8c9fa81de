import { request } from 'undici';
import { type Database, openDatabase } from '../../src/db/database.js';
import type { TestLicense } from '../support/factories.js';
import { cookieOf } from '../support/panel.js';
import { startStack } from '../support/stack.js';
import { measure, percentile, printLoad } from './measure.js';
import { BenchProcesses } from './processes.js';
import { seedAccounts } from './seeding.js';

const SHIPMENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = Number(process.argv[3] ?? 1);
const TIMES = 60;
const LIMIT_MS = 150;
const LIMIT_BYTES = 100 * 1024;

/**
 * The panel's pages for an administrator, of an account with many shipments. Arguments: how many shipments (1,000,000),
 * and how many accounts share them (1).
 */
const stack = await startStack();
const { config } = stack;
const db = openDatabase({ url: config.databaseUrl, poolSize: 4, statementTimeoutMs: 0 });
const processes = new BenchProcesses(stack);
try {
  const [seeded] = await seedAccounts(db, {
    shipments: SHIPMENTS,
    accounts: ACCOUNTS,
    appKey: config.appKey,
  });
  if (seeded === undefined) throw new Error('no account was asked for');
  const [url, worker] = await Promise.all([processes.startApi(), processes.startWorker()]);
  printLoad();
  console.log(`\n${'page'.padEnd(58)}      p50      p95    bytes`);
  for (const path of await pathsOf(db, seeded.license)) {
    // One user may ask 600 times a minute.
    await timeOf(`${url}/panel${path}`, path, await cookieOf({ db, config }, 'administrator'));
  }
  printLoad();
  if (worker.exitCode !== null) throw new Error('the worker has ended');
} finally {
  await processes.stop();
  await db.close();
  await stack.close();
}

/** Pages and searches, the costly ones several times. */
async function pathsOf(from: Database, { accountId }: TestLicense): Promise<string[]> {
  const [middle] = await from.select(
    `SELECT s.uuid, s.tracking_code, s.recipient_phone, o.number FROM shipments s JOIN orders o ON o.id = s.order_id
     WHERE s.account_id = ? ORDER BY s.id DESC LIMIT 1 OFFSET 500`,
    [accountId],
  );
  const found = [middle?.tracking_code, middle?.recipient_phone, middle?.number, 'Dana Levi 7', 'nobody'];
  const own = [
    '/shipments',
    '/shipments?page=10000',
    '/shipments?status=in_transit',
    '/shipments?status=delivered&label=false&from=2025-10-01&to=2026-10-31',
    ...found.map((text) => `/shipments?q=${encodeURIComponent(String(text))}`),
    `/shipments/${String(middle?.uuid)}`,
    '/shipments/new',
    '/batches',
    '/batches/new',
    '/exports',
    '/webhooks',
    '/webhooks/new',
    '/notifications',
    '/notifications/log',
    '/notifications/templates/new',
    '/licenses',
    `/licenses/new?carrier=independent`,
    '/sites',
    '/users',
    '/credentials',
    '/settings',
  ];
  return [
    '/overview',
    '/attention',
    '/carriers',
    '/accounts',
    '/users',
    '/audit',
    '/profile',
    ...own.map((path) => `/a/${accountId}${path}`),
  ];
}

async function timeOf(address: string, path: string, cookie: string): Promise<void> {
  let bytes = 0;
  const ask = async () => {
    const { statusCode, body } = await request(address, {
      headers: { cookie, 'accept-encoding': 'identity' },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
    bytes = Buffer.byteLength(text);
  };
  await measure(ask, { count: 10, width: 1 });
  const { sorted } = await measure(ask, { count: TIMES, width: 1 });
  const p95 = percentile(sorted, 0.95);
  const ms = (share: number) => percentile(sorted, share).toFixed(1).padStart(9);
  const verdict = p95 <= LIMIT_MS && bytes <= LIMIT_BYTES ? 'ok' : 'TOO MUCH';
  console.log(`${path.padEnd(58)}${ms(0.5)}${ms(0.95)}${String(bytes).padStart(9)}  ${verdict}`);
}
