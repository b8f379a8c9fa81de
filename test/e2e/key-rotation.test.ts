import { randomBytes } from 'node:crypto';
import test from 'ava';
import { loadConfig } from '../../src/config/config.js';
import { scheduleIds } from '../../src/contracts/ids.js';
import { listAppKeys, listPayloadKeys } from '../../src/services/admin/keys.js';
import { openTemporal } from '../../src/temporal/client.js';
import { ensureSchedules } from '../../src/temporal/schedules.js';
import { Load } from '../faults/load.js';
import { runAdmin } from '../support/admin.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import {
  type ApiProcess,
  startApiProcess,
  startWorkerProcess,
  type TestProcess,
} from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';
import { waitingOrder } from '../support/waiting-order.js';

type Env = Record<'APP_KEY' | 'TEMPORAL_PAYLOAD_KEY', string>;
const OLD = keysOf('k1');
const NEW = keysOf('k2');
const RINGS = { old: OLD, both: ringOf(OLD, NEW), turned: ringOf(NEW, OLD), new: NEW } as const;
/** Creations that each turn of the rotation must serve. */
const SERVED = 10;

const owner = new CleanUps();
let stack: TestStack;
let api: ApiProcess;
let worker: TestProcess;

test.before(async () => {
  stack = await startStack({
    env: {
      ...RINGS.old,
      // A busy machine is slow while a process starts.
      CREATE_WAIT_MS: '90000',
    },
  });
  owner.teardown(() => stack.close());
  worker = await startWorkerProcess(owner, stack);
  api = await startApiProcess(owner, stack);
});
test.after.always(() => owner.end());

test('both keys are replaced under load: no request fails, and the old ones go when nothing needs them', async (t) => {
  t.timeout(patient(300_000));
  await ensureSchedules(stack.temporal, { providers: [], pollIntervalSeconds: 60 });
  await keepHouse();
  const undecided = await waitingOrder(stack, api.client);
  const load = new Load([api.url], stack.account, []).start(owner, 2);
  await served(load);

  await turnTo(RINGS.both, load);
  await turnTo(RINGS.turned, load);
  const before = await keysWith(RINGS.turned);
  await migrate(RINGS.turned);
  const { code, out, err } = await runAdmin(
    ['resolve', undecided.uuid, '--adopt', undecided.code],
    envOf(RINGS.turned),
  );
  const after = await eventually(async () => {
    await endRounds();
    await keepHouse();
    const keys = await keysWith(RINGS.turned);
    return keys.find(({ key }) => key === 'k1')?.removable === true && keys;
  }, 'the old key to be removable');
  const sealed = (await appKeysWith(RINGS.turned)).find(({ key }) => key === 'k1');
  const tooSoon = await runAdmin(['keys', 'status'], envOf(RINGS.new));
  const renewed = await Promise.all([
    runAdmin(['keys', 're-encrypt', '--json'], envOf(RINGS.turned)),
    runAdmin(['keys', 're-encrypt', '--json'], envOf(RINGS.turned)),
  ]);
  await turnTo(RINGS.new, load);
  await load.stop();

  t.like(
    before.find(({ key }) => key === 'k1'),
    { does: 'opens', removable: false },
  );
  t.true((before.find(({ key }) => key === 'k1')?.needs ?? 0) > 0);
  t.is(code, 0, err);
  t.regex(out, /created with tracking code/);
  t.like(
    after.find(({ key }) => key === 'k2'),
    { does: 'seals', removable: false },
  );
  t.deepEqual([...load.statuses.keys()], [201], load.summary);
  t.deepEqual(load.unexpected, []);
  t.deepEqual(await violations(stack, api.client, load.remembered), []);
  t.like(sealed, { does: 'opens', removable: false });
  t.is(tooSoon.code, 1, tooSoon.out);
  t.regex(tooSoon.err, /APP_KEY: the key k1 is missing, with which \d+ stored values are sealed/);
  const rows = renewed.map(({ out, err }) => (t.is(err, ''), JSON.parse(out)));
  t.deepEqual(
    rows.map(({ unreadable }) => unreadable),
    [0, 0],
  );
  t.is(rows[0].rows + rows[1].rows, sealed?.needs, 'each value once');
  const listed = await runAdmin(['keys', 'status'], envOf(RINGS.new));
  t.regex(
    listed.out,
    /^VARIABLE +KEY +DOES +NEEDS +ENDING +REMOVABLE +EXAMPLE\nAPP_KEY +k2 +seals +[1-9]\d* +\d+ +false.*\nTEMPORAL_PAYLOAD_KEY +k2 +seals +[1-9]\d* +0 +false/,
    listed.err,
  );
  t.false(listed.out.includes('k1'), listed.out);
});

/** Replaces the workers, then the APIs, by ones with these keys; each turn serves some creations. */
async function turnTo(env: Env, load: Load): Promise<void> {
  const [oldWorker, oldApi] = [worker, api];
  worker = await startWorkerProcess(owner, stack, env);
  await oldWorker.stop();
  await served(load);
  api = await startApiProcess(owner, stack, env);
  load.useOnly([api.url]);
  await oldApi.process.stop();
  await served(load);
}

async function served(load: Load): Promise<void> {
  const wanted = load.remembered.length + SERVED;
  await eventually(() => load.remembered.length >= wanted, `${SERVED} creations`, 60_000);
}

/** Updates the Schedules as `migrate` does. */
async function migrate(ring: Env): Promise<void> {
  const temporal = openTemporal(loadConfig(envOf(ring)));
  owner.teardown(() => temporal.connection.close());
  await ensureSchedules(temporal, { providers: [], pollIntervalSeconds: 60 });
}

async function appKeysWith(ring: Env): ReturnType<typeof listAppKeys> {
  return await listAppKeys({ db: stack.db, config: loadConfig(envOf(ring)) });
}

async function keysWith(ring: Env): ReturnType<typeof listPayloadKeys> {
  return await listPayloadKeys({ temporal: stack.temporal, config: loadConfig(envOf(ring)) });
}

/** Ends the rounds of sweeps, which would go on for an hour. The next ones come within a minute. */
async function endRounds(): Promise<void> {
  const query =
    'TemporalScheduledById IS NOT NULL AND ExecutionStatus="Running" AND WorkflowType != "housekeeping"';
  for await (const { workflowId } of stack.temporal.workflow.list({ query })) {
    await stack.temporal.workflow
      .getHandle(workflowId)
      .terminate('the keys turn')
      .catch(() => undefined);
  }
}

/** Housekeeping hands its result on to its next run: where one ended under the old key, the next is a quarter of an hour off. */
async function keepHouse(): Promise<void> {
  await stack.temporal.schedule.getHandle(scheduleIds.housekeeping).trigger();
}

function envOf(ring: Env): Record<string, string> {
  return { ...stack.env, ...ring };
}

/** A new key of each ring. */
function keysOf(id: string): Env {
  const [app, payload] = [randomBytes(32), randomBytes(32)].map((key) => `${id}:${key.toString('base64')}`);
  return { APP_KEY: String(app), TEMPORAL_PAYLOAD_KEY: String(payload) };
}

/** The first one is used. */
function ringOf(first: Env, second: Env): Env {
  return {
    APP_KEY: `${first.APP_KEY},${second.APP_KEY}`,
    TEMPORAL_PAYLOAD_KEY: `${first.TEMPORAL_PAYLOAD_KEY},${second.TEMPORAL_PAYLOAD_KEY}`,
  };
}
