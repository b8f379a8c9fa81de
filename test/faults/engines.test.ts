import test, { type ExecutionContext } from 'ava';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import {
  type ApiProcess,
  type OwnEngines,
  startApiProcess,
  startOwnEngines,
  startWorkerProcess,
  type TestProcess,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { Load } from './load.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);
const CLIENTS = 6;

interface Scene {
  stack: TestStack;
  engines: OwnEngines;
  api: ApiProcess;
  worker: TestProcess;
}

let scene: Scene;
const owner = new CleanUps();

test.before(async () => {
  const engines = await startOwnEngines(owner);
  const stack = await startStack({ engines });
  owner.teardown(() => stack.close());
  const [api, worker] = await Promise.all([
    // Short, so that an outage is answered while the test looks.
    startApiProcess(owner, stack, { CREATE_WAIT_MS: '3000' }),
    startWorkerProcess(owner, stack),
  ]);
  scene = { stack, engines, api, worker };
});
test.after.always(() => owner.end());

for (const name of ['mysql', 'temporal'] as const) {
  test.serial(`${name} killed and restarted under load: nothing lost, doubled or stuck`, async (t) => {
    t.timeout(patient(REPEATS * 120_000));
    for (let turn = 1; turn <= REPEATS; turn += 1) await outage(t, name, `${turn}`);
  });
}

test.serial('both engines killed at once come back to a service that works', async (t) => {
  t.timeout(patient(REPEATS * 120_000));
  for (let turn = 1; turn <= REPEATS; turn += 1) await outage(t, 'both', `${turn}`);
});

// The last one: it leaves the engine away.
test.serial('an API that is stopped while the engine is away ends without an error', async (t) => {
  const { stack, engines, api } = scene;
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const waiting = Promise.allSettled(
    Array.from({ length: CLIENTS }, () => api.client.create(shipmentBody(stack.account, 'run'))),
  );
  await eventually(async () => {
    const [row] = await stack.db.select(`SELECT COUNT(*) AS waiting FROM shipments WHERE state = 'reserved'`);
    return Number(row?.waiting) === CLIENTS;
  }, 'all creations to wait for the carrier');

  await engines.temporal.kill9();
  const code = await api.process.stop();
  const answers = await waiting;

  t.is(code, 0, api.process.log);
  t.deepEqual(
    answers.map((answer) => answer.status === 'fulfilled' && answer.value.status),
    answers.map(() => 202),
  );
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
});

async function outage(t: ExecutionContext, name: 'mysql' | 'temporal' | 'both', turn: string): Promise<void> {
  const { stack, engines, api, worker } = scene;
  const killed = name === 'both' ? [engines.mysql, engines.temporal] : [engines[name]];
  const load = new Load([api.url], stack.account).start(t, CLIENTS);
  t.teardown(() => {
    if (!t.passed)
      t.log(load.summary, load.unexpected.slice(0, 3), worker.isRunning, worker.log, api.process.log);
  });
  await eventually(() => load.remembered.length >= 2 * CLIENTS, 'the load to be under way');

  await Promise.all(killed.map((engine) => engine.kill9()));
  const broken = await eventually(() => healthOf(api, 'ready', 503), 'the API to say that it is not ready');
  const alive = await healthOf(api, 'live', 200);
  await eventually(() => (load.statuses.get(503) ?? 0) > 0, 'a 503 to a client');
  const startedAt = Date.now();
  await Promise.all(killed.map((engine) => engine.start()));
  await eventually(() => healthOf(api, 'ready', 200), 'the API to be ready again');
  const before = load.remembered.length;
  await eventually(() => load.remembered.length > before + 2 * CLIENTS, 'creations after the outage');
  const recoveredMs = Date.now() - startedAt;
  await load.stop();

  const isDown = (engine: 'mysql' | 'temporal') => name === engine || name === 'both';
  t.like(broken, { mysql: !isDown('mysql'), temporal: !isDown('temporal') });
  t.truthy(alive);
  t.deepEqual(load.unexpected, []);
  t.true(api.process.isRunning && worker.isRunning);
  t.deepEqual(await violations(stack, api.client, load.remembered), [], worker.log);
  t.log(`${turn}: ${load.summary}; first creations ${recoveredMs} ms after the restart`);
}

/** The body of a health answer with that status, else undefined. */
async function healthOf(
  api: ApiProcess,
  kind: 'ready' | 'live',
  status: number,
): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`${api.url}/health/${kind}`);
  const body = (await response.json()) as Record<string, unknown>;
  return response.status === status ? body : undefined;
}
