import { createPool } from 'mysql2/promise';
import { request } from 'undici';
import { type Database, openDatabase } from '../../src/db/database.js';
import {
  type ListShipmentsArgs,
  listShipments,
  type ShipmentFilter,
} from '../../src/db/queries/shipments/shipment-lists.js';
import { SHIPMENT_SORTS } from '../../src/domain/shipment-list.js';
import { digestOf } from '../../src/lib/digest.js';
import { insertTestOrder, insertTestShipment, type TestLicense } from '../support/factories.js';
import { startStack } from '../support/stack.js';
import { bareListQuery } from './bare-query.js';
import { measure, percentile, printLoad, type Sample, timesOf } from './measure.js';
import { BenchProcesses } from './processes.js';
import { type SeededAccount, seedAccounts } from './seeding.js';

const SHIPMENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = Number(process.argv[3] ?? 1);
/** A database that `npm run bench -- seed` has filled, instead of one that is filled now. */
const SEEDED_URL = process.env.BENCH_DATABASE_URL;
const PER_PAGE = 25;
const DEEP_PAGE = 10_000;
const ROUNDS = 10;
const COUNT = 20;
const WALKED_PAGES = 1_000;

/**
 * Lists of an account with many shipments, beside bare queries and a bare route in alternating rounds. Arguments: how
 * many shipments (1,000,000), and how many accounts share them (1).
 */
const stack = await startStack();
const url = SEEDED_URL ?? stack.config.databaseUrl;
const db = openDatabase({ url, poolSize: 4, statementTimeoutMs: 0 });
const bare = createPool({ uri: url, dateStrings: true, connectionLimit: 1 });
const processes = new BenchProcesses({ env: { ...stack.env, DATABASE_URL: url } });
try {
  const account = SEEDED_URL === undefined ? await seed() : await seededAccount();
  const [apiUrl, bareUrl] = await Promise.all([processes.startApi(), processes.startBareList()]);
  printLoad();
  await firstPages(account, apiUrl, bareUrl);
  printLoad();
  await filtersAndSorts(account.license);
  printLoad();
  await deepPages(account.license);
  printLoad();
  await cursorWalk(account, apiUrl);
} finally {
  await processes.stop();
  await bare.end();
  await db.close();
  await stack.close();
}

async function seed(): Promise<SeededAccount> {
  const { appKeys } = stack.config;
  const at = performance.now();
  const [first] = await seedAccounts(db, { shipments: SHIPMENTS, accounts: ACCOUNTS, appKeys });
  console.log(
    `${SHIPMENTS} shipments of ${ACCOUNTS} account(s), filled in ${((performance.now() - at) / 1000).toFixed(0)} s`,
  );
  if (first === undefined) throw new Error('no account was asked for');
  return first;
}

/** The first account there, with a secret that this run's API knows. */
async function seededAccount(): Promise<SeededAccount> {
  const clientSecret = 'sk_bench';
  const [row] = await db.select(
    `SELECT a.id, k.client_id, l.id AS license_id, l.license_key, l.company_id, c.carrier_id
     FROM accounts a JOIN client_credentials k ON k.account_id = a.id
     JOIN licenses l ON l.account_id = a.id JOIN companies c ON c.id = l.company_id
     ORDER BY l.id LIMIT 1`,
  );
  const accountId = Number(row?.id);
  await db.run('UPDATE client_credentials SET client_secret_hash = ? WHERE account_id = ?', [
    stack.config.appKeys.seal('client secret', digestOf(clientSecret)),
    accountId,
  ]);
  const license = {
    accountId,
    licenseId: Number(row?.license_id),
    carrierId: Number(row?.carrier_id),
    companyId: Number(row?.company_id),
    key: String(row?.license_key),
  };
  return { license, clientId: String(row?.client_id), clientSecret };
}

function listing({ accountId, licenseId }: TestLicense, overrides: Partial<ListShipmentsArgs> = {}) {
  return {
    accountId,
    licenseIds: [licenseId],
    filter: {},
    sort: { column: 'created_at', descending: true },
    page: 1,
    perPage: PER_PAGE,
    ...overrides,
  } as const satisfies ListShipmentsArgs;
}

function credentials({ clientId, clientSecret }: SeededAccount): Record<string, string> {
  return { 'x-client-id': clientId, 'x-client-secret': clientSecret, accept: 'application/json' };
}

async function firstPages(account: SeededAccount, apiUrl: string, bareUrl: string): Promise<void> {
  const { accountId } = account.license;
  await compare('first page, SQL', 'bare query', {
    ours: async () => void (await listShipments(db, listing(account.license))),
    bare: async () => void (await bare.query(bareListQuery, [accountId])),
  });
  await compare('first page, HTTP', 'bare route', {
    ours: () => get(`${apiUrl}/api/v2/shipments`, credentials(account)),
    bare: () => get(`${bareUrl}/shipments?account=${accountId}`, {}),
  });
}

async function get(address: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, body } = await request(address, { headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(text);
}

async function compare(
  title: string,
  other: string,
  work: { ours: () => Promise<void>; bare: () => Promise<void> },
): Promise<void> {
  const samples: { ours: Sample[]; bare: Sample[] } = { ours: [], bare: [] };
  for (const one of [work.ours, work.bare]) await measure(one, { count: 200, width: 1 });
  for (let round = 0; round < ROUNDS; round++) {
    samples.bare.push(await measure(work.bare, { count: COUNT, width: 1 }));
    samples.ours.push(await measure(work.ours, { count: COUNT, width: 1 }));
  }
  const at = (of: Sample[], share: number) => percentile(timesOf(of), share);
  const ratio = at(samples.ours, 0.5) / at(samples.bare, 0.5);
  const times = (of: Sample[]) => `p50 ${at(of, 0.5).toFixed(2)} ms, p95 ${at(of, 0.95).toFixed(2)} ms`;
  console.log(`\n${title}: ${times(samples.ours)}; ${other}: ${times(samples.bare)}`);
  verdict('  p50 of ours to bare', ratio, 2, '');
}

/** The median of a few, so that one pause of the machine says nothing. */
async function timeOf(args: ListShipmentsArgs, of: Database = db): Promise<number> {
  await listShipments(of, args);
  const { sorted } = await measure(async () => void (await listShipments(of, args)), { count: 5, width: 1 });
  return percentile(sorted, 0.5);
}

async function filters(license: TestLicense): Promise<Record<string, ShipmentFilter>> {
  const [middle] = (await listShipments(db, listing(license, { page: 3 }))).rows;
  const day = 86_400_000;
  const before = (days: number) =>
    new Date(Date.parse(String(middle?.createdAt)) - days * day).toISOString().replace('Z', '000Z');
  return {
    none: {},
    'active=true': { active: true },
    'active=false': { active: false },
    'type=1': { serviceType: 1 },
    'type=2': { serviceType: 2 },
    'status=created': { status: 'created' },
    'status=delivered': { status: 'delivered' },
    'status=lost': { status: 'lost' },
    'status=returning': { status: 'returning' },
    tracking_code: { trackingCode: String(middle?.trackingCode) },
    order_id: { orderId: String(middle?.order.id) },
    'created, last day': { createdFrom: before(1) },
    'created, last month': { createdFrom: before(30) },
    'created, a year ago': { createdFrom: before(365), createdTo: before(364) },
    'type, status and month': { serviceType: 1, status: 'in_transit', createdFrom: before(30) },
  };
}

async function filtersAndSorts(license: TestLicense): Promise<void> {
  console.log('\nfirst pages, ms of SQL with the total (the worse direction)');
  console.log(`  ${''.padEnd(24)}${SHIPMENT_SORTS.map((column) => column.padStart(14)).join('')}`);
  let worst = 0;
  for (const [name, filter] of Object.entries(await filters(license))) {
    const cells: number[] = [];
    for (const column of SHIPMENT_SORTS) {
      const both = [];
      for (const descending of [true, false]) {
        both.push(await timeOf(listing(license, { filter, sort: { column, descending } })));
      }
      cells.push(Math.max(...both));
    }
    worst = Math.max(worst, ...cells);
    console.log(`  ${name.padEnd(24)}${cells.map((ms) => ms.toFixed(1).padStart(14)).join('')}`);
  }
  verdict('  the slowest', worst, 50, ' ms');
}

async function deepPages(license: TestLicense): Promise<void> {
  const { total } = await listShipments(db, listing(license));
  const lastPage = Math.ceil(total / PER_PAGE);
  const deep = Math.min(DEEP_PAGE, lastPage);
  console.log(`\npages far from the first, of ${lastPage}`);
  verdict(`  page ${deep}`, await timeOf(listing(license, { page: deep })), 150, ' ms');
  const farthest = Math.ceil(lastPage / 2);
  const others: [string, Partial<ListShipmentsArgs>][] = [
    [`page ${farthest}, the farthest from both ends`, { page: farthest }],
    [`page ${lastPage}, the last`, { page: lastPage }],
    [`page ${deep}, active=true`, { page: deep, filter: { active: true } }],
    [`page ${deep}, status=delivered`, { page: deep, filter: { status: 'delivered' } }],
    ...SHIPMENT_SORTS.slice(1).map((column): [string, Partial<ListShipmentsArgs>] => [
      `page ${deep} by ${column}`,
      { page: deep, sort: { column, descending: true } },
    ]),
  ];
  for (const [name, overrides] of others) {
    verdict(`  ${name}`, await timeOf(listing(license, overrides)), 1_000, ' ms');
  }
}

/** Follows the cursors of the orders while new ones come in. */
async function cursorWalk(account: SeededAccount, apiUrl: string): Promise<void> {
  const { license } = account;
  const expected = await db.select(
    'SELECT order_id FROM orders WHERE account_id = ? ORDER BY id DESC LIMIT ?',
    [license.accountId, WALKED_PAGES * PER_PAGE],
  );
  let inserted = 0;
  let walking = true;
  const inserting = (async () => {
    while (walking) {
      await insertTestShipment(db, license, { order_id: (await insertTestOrder(db, license)).id });
      inserted += 1;
    }
  })();
  const seen: string[] = [];
  const times: number[] = [];
  // The first page is read before the first insert can be seen in it.
  let next: string | null = `${apiUrl}/api/v2/orders`;
  for (let page = 0; page < WALKED_PAGES && next !== null; page++) {
    const at = performance.now();
    const { statusCode, body } = await request(next, { headers: credentials(account) });
    const text = await body.text();
    times.push(performance.now() - at);
    if (statusCode !== 200) throw new Error(text);
    const { data, meta } = JSON.parse(text);
    for (const order of data) seen.push(String(order.order_id));
    next = meta.next_cursor === null ? null : `${apiUrl}/api/v2/orders?cursor=${meta.next_cursor}`;
  }
  walking = false;
  await inserting;
  const known = new Set(expected.map((row) => String(row.order_id)));
  const ours = seen.filter((id) => known.has(id));
  const repeated = seen.length - new Set(seen).size;
  // New orders on the first page push as many of the oldest off the walk's end.
  const missing = expected.slice(0, ours.length).filter((row, place) => String(row.order_id) !== ours[place]);
  const part = (of: number[]) =>
    percentile(
      [...of].sort((a, b) => a - b),
      0.5,
    ).toFixed(1);
  console.log(`\ncursor walk of ${times.length} pages while ${inserted} orders came in`);
  console.log(
    `  p50 of the first 100 pages ${part(times.slice(0, 100))} ms, of the last ${part(times.slice(-100))} ms`,
  );
  verdict('  repeated rows', repeated, 0, '');
  verdict('  missing rows', missing.length, 0, '');
}

function verdict(name: string, value: number, limit: number, unit: string): void {
  const text = Number.isInteger(value) ? String(value) : value.toFixed(2);
  console.log(`${name}: ${text}${unit} (at most ${limit}${unit}) ${value <= limit ? 'ok' : 'TOO MUCH'}`);
}
