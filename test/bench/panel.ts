import { request } from 'undici';
import { openDatabase } from '../../src/db/database.js';
import { isOfAccount, ROLES, type Role } from '../../src/domain/panel-roles.js';
import { HTTP_APP_KEY, startHttp } from '../support/http.js';
import { importDraft } from '../support/import-drafts.js';
import { cookieOf } from '../support/panel.js';
import { addressOf, type PanelWorld, pagesOf, panelWorld } from '../support/panel-walk.js';
import { startStack } from '../support/stack.js';
import { cpuMs, listenerOn, type Watched } from './cpu.js';
import { measure, percentile, printLoad } from './measure.js';
import { BenchProcesses } from './processes.js';
import { seedAccounts } from './seeding.js';
import { seedRest } from './seeding-rest.js';

const SHIPMENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = Number(process.argv[3] ?? 5);
/** Only pages whose path holds it. */
const ONLY = process.argv[4] ?? '';
const TIMES = 40;
const LIMIT_MS = 100;
const LIMIT_BYTES = 100 * 1024;

/** More queries of pages that are filtered, sorted or searched. `{code}`, `{phone}`, `{order}`: of a shipment. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/accounts': ['q=Shop 49', 'q={code}', 'q={order}', 'q={phone}'],
  '/audit': ['action=licenses', 'actor=user7@example.test', 'account={account}', 'before=5000'],
  '/refused': ['q=Noa 77', 'q=nobody', 'q={order}'],
  '/a/:account/shipments': [
    'page=100',
    'page=7500',
    'status=in_transit',
    'status=delivered&page=90',
    'status=needs_attention',
    'status=delivered&label=false&from=2025-10-01&to=2026-10-31',
    'label=true',
    'from=2026-01-01&to=2026-02-01',
    'q={code}',
    'q={order}',
    'q={phone}',
    'q=Dana Levi 7',
    'q=nobody',
    'q=T70',
    'q=T70&status=delivered&label=true',
  ],
  '/a/:account/refused': ['q=Noa 77', 'q=nobody', 'q={order}'],
  '/figures': ['days=7'],
  '/a/:account/figures': ['days=7'],
  '/a/:account/batches/:batch': ['status=created'],
  '/a/:account/webhooks/:webhook': ['status=failed', 'event=shipment.created'],
};

interface Timed {
  name: string;
  p50: number;
  p95: number;
  bytes: number;
  statements: number;
  /** Processor time of API and MySQL, which a busy machine changes little. */
  cpuMs: number;
}

/**
 * Every page of the panel, for each role that may see it, of an account with most of many shipments. Arguments: how many
 * shipments (1,000,000), how many accounts share them (5), and a part of a path, to measure these pages only.
 */
let statements = 0;
const stack = await startStack();
const http = await startHttp({
  onQuery: () => {
    statements += 1;
  },
});
const { databaseUrl, appKeys } = http.config;
const env = { ...stack.env, DATABASE_URL: databaseUrl, APP_KEY: HTTP_APP_KEY };
const processes = new BenchProcesses({ env });
const db = openDatabase({ url: databaseUrl, poolSize: 4, statementTimeoutMs: 0 });
try {
  const [first] = await seedAccounts(db, { shipments: SHIPMENTS, accounts: ACCOUNTS, appKeys });
  if (first === undefined) throw new Error('no account was asked for');
  const { accountId, licenseId, key, carrierId } = first.license;
  const of = {
    account: {
      id: accountId,
      headers: { 'x-client-id': first.clientId, 'x-client-secret': first.clientSecret },
    },
    license: { id: licenseId, key, carrierId },
  };
  const worlds = new Map<Role, PanelWorld>();
  for (const role of ROLES) worlds.set(role, await panelWorld(http, role, of));
  const { params } = worlds.get('administrator') ?? {};
  await seedRest(db, first.license, { webhook: params?.webhook ?? '', batch: params?.batch ?? '' });
  const at = performance.now();
  const file = await importDraft(http, accountId, licenseId, 1000);
  console.log(`a file of 2,000 orders is read and checked in ${(performance.now() - at).toFixed(0)} ms`);
  const samples = await samplesOf(accountId);
  const [{ url, child }, worker] = await Promise.all([processes.startApiProcess(), processes.startWorker()]);
  const watched = { api: child.pid ?? 0, mysql: listenerOn(Number(new URL(databaseUrl).port)) };
  printLoad();
  const timed: Timed[] = [];
  for (const [role, world] of worlds) {
    // Objects of one world, so that roles see the same pages.
    const seen = { ...world, params: { ...world.params, ...params, ...file } };
    for (const path of pagesOf(role).filter((one) => one.includes(ONLY)))
      for (const query of ['', ...(QUERIES[path] ?? [])])
        timed.push(await timeOf({ url, watched, role, world: seen, path, query: filledIn(query, samples) }));
  }
  print(timed);
  printLoad();
  if (worker.exitCode !== null) throw new Error('the worker has ended');
} finally {
  await processes.stop();
  await db.close();
  await http.close();
  await stack.close();
}

/** Searched texts: names of a shipment in the middle of the account. */
async function samplesOf(account: number): Promise<Record<string, unknown>> {
  const [middle] = await db.select(
    `SELECT s.tracking_code AS code, s.recipient_phone AS phone, o.number AS \`order\`
     FROM shipments s JOIN orders o ON o.id = s.order_id
     WHERE s.account_id = ? AND s.state = 'created' ORDER BY s.created_at DESC LIMIT 1 OFFSET 500`,
    [account],
  );
  return { account, ...middle };
}

function filledIn(query: string, samples: Record<string, unknown>): string {
  return query.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(samples[name])));
}

async function timeOf(page: {
  url: string;
  watched: Watched;
  role: Role;
  world: PanelWorld;
  path: string;
  query: string;
}): Promise<Timed> {
  const { url, watched, role, world, path, query } = page;
  const address = addressOf(world, path);
  const asked = query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  const name = `${role} ${path}${query === '' ? '' : `?${decodeURIComponent(query)}`}`;
  await world.ask(asked);
  statements = 0;
  await world.ask(asked);
  const sent = statements;
  // One user may ask 600 times a minute.
  const own = isOfAccount(role) ? Number(world.params.account) : undefined;
  const cookie = await cookieOf(http, role, own);
  let bytes = 0;
  const ask = async () => {
    const { statusCode, body } = await request(url + asked, {
      headers: { cookie, 'accept-encoding': 'identity' },
    });
    bytes = (await body.bytes()).length;
    if (statusCode !== 200) throw new Error(`${name}: ${statusCode}`);
  };
  await measure(ask, { count: 8, width: 1 });
  const before = sumOf(cpuMs(watched));
  const { sorted } = await measure(ask, { count: TIMES, width: 1 });
  const spent = (sumOf(cpuMs(watched)) - before) / TIMES;
  const at = (share: number) => percentile(sorted, share);
  return { name, p50: at(0.5), p95: at(0.95), bytes, statements: sent, cpuMs: spent };
}

function sumOf(parts: Record<string, number>): number {
  return Object.values(parts).reduce((sum, ms) => sum + ms, 0);
}

/** Slowest first, beside the page that costs least. */
function print(timed: readonly Timed[]): void {
  const bare = Math.min(...timed.map(({ p50 }) => p50));
  console.log(`\n${'page'.padEnd(88)}     p50     p95   × bare     cpu    bytes  statements`);
  for (const { name, p50, p95, bytes, statements: sent, cpuMs: cpu } of timed.toSorted(
    (a, b) => b.p95 - a.p95,
  )) {
    const ms = (value: number) => value.toFixed(1).padStart(8);
    const verdict = p95 > LIMIT_MS ? '  TOO SLOW' : bytes > LIMIT_BYTES ? '  TOO LARGE' : '';
    const parts = [
      ms(p50),
      ms(p95),
      ms(p50 / bare),
      ms(cpu),
      String(bytes).padStart(9),
      String(sent).padStart(12),
    ];
    console.log(`${name.padEnd(88)}${parts.join('')}${verdict}`);
  }
}
