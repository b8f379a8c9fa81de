import { Pool } from 'undici';
import { fillShipments } from '../support/bulk.js';
import { startStack } from '../support/stack.js';
import { measure, percentile, printLoad, type Sample, timesOf } from './measure.js';
import { BenchProcesses } from './processes.js';

const ROUNDS = 3;
const CONNECTIONS = 16;
const COUNT = Number(process.env.BENCH_REQUESTS ?? 1500);
const PROVIDER = 'independent';
const SHIPMENTS = 1000;

type Ask = () => Promise<void>;

/** Cheap requests beside a bare route of Express and mysql2, in alternating rounds over 16 connections. */
const stack = await startStack({ env: { RATE_LIMIT_PER_MINUTE: '100000000' } });
const processes = new BenchProcesses(stack);
const pools: Pool[] = [];
try {
  const uuid = await fill();
  const [ours, bare] = await Promise.all([processes.startApi(), processes.startBareApi()]);
  const headers = {
    'x-client-id': stack.account.clientId,
    'x-client-secret': stack.account.clientSecret,
    accept: 'application/json',
  };
  const api = poolOf(ours);
  const sides: Record<string, Ask> = {
    'bare route': asker(poolOf(bare), `/bare/${stack.account.id}`, {}),
    'GET /account': asker(api, '/api/v2/account', headers),
    'GET /shipments/{uuid}': asker(api, `/api/v2/shipments/${uuid}`, headers),
    'GET /shipments': asker(
      api,
      `/api/v2/shipments?license_key=${stack.account.licenseKeys[PROVIDER]}`,
      headers,
    ),
  };
  printLoad();
  await compare(sides);
} finally {
  await Promise.all(pools.map((pool) => pool.close()));
  await processes.stop();
  await stack.close();
}

async function fill(): Promise<string> {
  const { db, account } = stack;
  const [row] = await db.select(
    `SELECT l.id, l.account_id, l.company_id, c.carrier_id FROM licenses l JOIN companies c ON c.id = l.company_id
     WHERE l.license_key = ?`,
    [account.licenseKeys[PROVIDER] ?? ''],
  );
  const license = {
    accountId: Number(row?.account_id),
    licenseId: Number(row?.id),
    companyId: Number(row?.company_id),
    carrierId: Number(row?.carrier_id),
    key: account.licenseKeys[PROVIDER] ?? '',
  };
  await fillShipments(db, license, SHIPMENTS);
  const [shipment] = await db.select('SELECT uuid FROM shipments ORDER BY id DESC LIMIT 1');
  return String(shipment?.uuid);
}

function poolOf(url: string): Pool {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  pools.push(pool);
  return pool;
}

function asker(pool: Pool, path: string, headers: Record<string, string>): Ask {
  return async () => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
  };
}

async function compare(sides: Record<string, Ask>): Promise<void> {
  const samples: Record<string, Sample[]> = {};
  for (const ask of Object.values(sides)) await measure(ask, { count: COUNT / 2, width: CONNECTIONS });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, ask] of Object.entries(sides)) {
      samples[name] = [...(samples[name] ?? []), await measure(ask, { count: COUNT, width: CONNECTIONS })];
    }
  }
  const bare = samples['bare route'] ?? [];
  const p99 = (rounds: Sample[]) => percentile(timesOf(rounds), 0.99);
  for (const [name, rounds] of Object.entries(samples)) {
    const ratios = rounds.map(({ totalMs }, round) => (bare[round]?.totalMs ?? 0) / totalMs);
    const perSecond = rounds.map(({ totalMs }) => (COUNT / totalMs) * 1000);
    console.log(
      `${name.padEnd(22)} ${median(perSecond).toFixed(0).padStart(5)}/s, ${median(ratios).toFixed(2)} of bare; ` +
        `p99 ${p99(rounds).toFixed(1)} ms, ${(p99(rounds) / p99(bare)).toFixed(1)} × bare`,
    );
  }
}

function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}
