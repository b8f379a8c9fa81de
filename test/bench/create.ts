import { randomUUID } from 'node:crypto';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { countingClient } from '../support/counting-client.js';
import { startStack, type TestStack } from '../support/stack.js';
import { cpuMs, listenerOn, type Watched } from './cpu.js';
import { measure, report, type Sample } from './measure.js';
import { BenchProcesses, bareRun, creation } from './processes.js';

const WIDTH = 32;
/** Short rounds: a machine's speed changes within a minute, and both sides are to meet the same. */
const SEQUENTIAL = { rounds: 16, count: 20, width: 1 };
const CONCURRENT = { rounds: 4, count: 300, width: WIDTH };
/** Until the compiler of neither side has more to do: a process that serves runs for weeks. */
const WARM_UP = 800;
/** `run` is called by network, and its sandbox answers at once. */
const PROVIDER = process.argv[2] ?? 'independent';

/**
 * Creates shipments through the API beside a bare workflow (local, regular, local activity that do nothing) on the
 * same server, in alternating rounds. Production shape: API, worker and bare worker run as separate processes.
 */
const stack = await startStack();
const processes = new BenchProcesses(stack);
try {
  const [worker, bareWorker] = await Promise.all([processes.startWorker(), processes.startBareWorker()]);
  const { url, child } = await processes.startApiProcess();
  const api = new ApiClient(url, stack.account);
  const engines = {
    engine: portOf(`http://${stack.env.TEMPORAL_ADDRESS}`),
    MySQL: portOf(stack.env.DATABASE_URL),
  };
  const create = creation(api, stack, PROVIDER);
  const bare = bareRun(stack);
  await measure(bare, { count: WARM_UP, width: WIDTH });
  await measure(create, { count: WARM_UP, width: WIDTH });

  await compare('one at a time', create, bare, SEQUENTIAL);
  await compare(`${WIDTH} at a time`, create, bare, CONCURRENT);
  const shared = { engine: listenerOn(engines.engine), MySQL: listenerOn(engines.MySQL) };
  await cpu('bare workflow', bare, { ...shared, worker: pidOf(bareWorker), client: process.pid });
  await cpu('POST /shipments', create, { ...shared, worker: pidOf(worker), API: pidOf(child) });
  await costs(create);
} finally {
  await processes.stop();
  await stack.close();
}

async function compare(
  title: string,
  ours: () => Promise<void>,
  bare: () => Promise<void>,
  load: { rounds: number; count: number; width: number },
): Promise<void> {
  const samples: { ours: Sample[]; bare: Sample[] } = { ours: [], bare: [] };
  for (let round = 0; round < load.rounds; round++) {
    samples.bare.push(await measure(bare, load));
    samples.ours.push(await measure(ours, load));
  }
  report(title, samples);
}

/** Processor time of one call by process, `WIDTH` at a time. */
async function cpu(title: string, work: () => Promise<void>, watched: Watched): Promise<void> {
  const count = 600;
  const before = cpuMs(watched);
  await measure(work, { count, width: WIDTH });
  const after = cpuMs(watched);
  const each = Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / count] as const);
  const total = each.reduce((sum, [, ms]) => sum + ms, 0);
  const parts = each.map(([name, ms]) => `${name} ${ms.toFixed(1)}`).join(', ');
  console.log(`\n${title}: ${total.toFixed(1)} ms of processor time each (${parts})`);
}

function pidOf({ pid }: { pid?: number | undefined }): number {
  if (pid === undefined) throw new Error('a process has not begun');
  return pid;
}

function portOf(url: string | undefined): number {
  return Number(new URL(url ?? '').port);
}

/** The cost of one shipment: history events, SQL statements, RPCs of the API. */
async function costs(create: () => Promise<void>): Promise<void> {
  const count = 100;
  const rpcs = await rpcsOfOneCreation();
  const before = await statements(stack);
  for (let done = 0; done < count; done++) await create();
  const after = await statements(stack);
  const [row] = await stack.db.select('SELECT workflow_id FROM shipments ORDER BY id DESC LIMIT 1');
  const handle = stack.temporal.workflow.getHandle(String(row?.workflow_id));
  await handle.result();
  const run = await handle.describe();
  const per = (name: string) => ((after[name] ?? 0) - (before[name] ?? 0)) / count;
  const data =
    per('Com_select') +
    per('Com_insert') +
    per('Com_insert_select') +
    per('Com_update') +
    per('Com_update_multi') +
    per('Com_delete');
  const control = per('Com_begin') + per('Com_commit') + per('Com_rollback');
  console.log(`\nper shipment: ${run.historyLength} history events, ${rpcs} RPCs of the API`);
  console.log(`SQL statements: ${data.toFixed(2)}, and ${control.toFixed(2)} of BEGIN and COMMIT`);
  for (const name of Object.keys(after))
    if (per(name) > 0.05) console.log(`  ${name}: ${per(name).toFixed(2)}`);
}

async function statements(of: TestStack): Promise<Record<string, number>> {
  const rows = await of.db.select("SHOW GLOBAL STATUS WHERE Variable_name LIKE 'Com\\_%'");
  return Object.fromEntries(rows.map((row) => [String(row.Variable_name), Number(row.Value)]));
}

/** The RPCs that the API makes for one creation, counted by a client of the same kind. */
async function rpcsOfOneCreation(): Promise<number> {
  const { client, calls } = await countingClient(stack);
  const apiUrl = await stack.startApi(undefined, {}, client);
  const api = new ApiClient(apiUrl, stack.account);
  calls.clear();
  const response = await api.create(shipmentBody(stack.account, PROVIDER), randomUUID());
  const total = [...calls.values()].reduce((sum, count) => sum + count, 0);
  await client.connection.close();
  if (response.status !== 201) throw new Error(response.text);
  return total;
}
