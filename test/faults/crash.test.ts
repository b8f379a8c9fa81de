import test from 'ava';
import { createConnection } from 'mysql2/promise';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import { startApiProcess, startWorkerProcess, type TestProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);
const CASE_TIMEOUT_MS = 90_000;

/** One point of a creation at which the worker is killed. */
interface KillPoint {
  /** Prepares the fault; the returned function waits for the moment, kills, and undoes what held the worker back. */
  arm(stack: TestStack, worker: TestProcess): Promise<() => Promise<void>>;
}

const beforeSending: KillPoint = {
  async arm(stack, worker) {
    const release = await holdTable(stack, 'carrier_attempts');
    return async () => {
      await eventually(() => isWaiting(stack, 'INSERT INTO carrier_attempts'), 'the mark of the attempt');
      await worker.kill9();
      await release();
    };
  },
};

const beforeTheReply: KillPoint = {
  async arm(stack, worker) {
    const booked = (await stack.sandbox.ledger()).length;
    await stack.sandbox.fault({ operation: 'book', kind: 'latency_after', value: 2500 });
    return async () => {
      await eventually(async () => (await stack.sandbox.ledger()).length > booked, 'the booking');
      await worker.kill9();
    };
  },
};

const beforeTheRecord: KillPoint = {
  async arm(stack, worker) {
    await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
    return async () => {
      await eventually(() => exists(stack, `state = 'reserved'`), 'the reservation');
      const release = await holdTable(stack, 'shipments');
      await stack.sandbox.fault({ operation: 'book', kind: 'none' });
      await eventually(() => isWaiting(stack, 'UPDATE shipments'), 'the record');
      await worker.kill9();
      await release();
    };
  },
};

const afterTheRecord: KillPoint = {
  async arm(stack, worker) {
    const [row] = await stack.db.select('SELECT COUNT(*) AS shipments FROM shipments');
    const before = Number(row?.shipments);
    return async () => {
      // Without a pause, so that the kill comes as soon after the commit as it can.
      await eventually(() => exists(stack, 'TRUE', before), 'the reservation');
      while (await exists(stack, `state = 'reserved'`));
      await worker.kill9();
    };
  },
};

const owner = new CleanUps();
let stack: TestStack;
let client: ApiClient;
/** The one that a test starts after its kill is the next test's to kill. */
let worker: TestProcess;

test.before(async () => {
  stack = await startStack();
  owner.teardown(() => stack.close());
  client = new ApiClient(await stack.startApi(), stack.account);
  worker = await startWorkerProcess(owner, stack);
});
test.after.always(() => owner.end());

for (const [name, point] of Object.entries({
  'before anything is sent': beforeSending,
  'after the carrier booked, before its reply': beforeTheReply,
  'after the reply, before the record': beforeTheRecord,
  'right after the record': afterTheRecord,
})) {
  test.serial(`a worker killed ${name} loses and doubles nothing`, async (t) => {
    t.timeout(patient(REPEATS * CASE_TIMEOUT_MS));
    for (let turn = 1; turn <= REPEATS; turn += 1) {
      const key = `killed-${name.replaceAll(' ', '-')}-${turn}`;
      const body = shipmentBody(stack.account, 'run');
      const strike = await point.arm(stack, worker);
      const startedAt = Date.now();
      const restart = async () => {
        await strike();
        worker = await startWorkerProcess(owner, stack);
      };
      const [waited] = await Promise.all([client.create(body, key), restart()]);
      const first = waited.status === 202 ? await client.create(body, key) : waited;
      t.log(`${turn}: ${waited.status} after ${Date.now() - startedAt} ms`);

      t.is(first.status, 201, first.text);
      t.deepEqual(await violations(stack, client, [{ key, body, status: 201, text: first.text }]), []);
      const { uuid } = first.body.data;
      const entries = (await stack.sandbox.ledger()).filter((one) => one.reference === uuid);
      t.deepEqual(
        entries.map((one) => [one.code, one.requests]),
        [[first.body.data.tracking_code, 1]],
      );
    }
  });
}

test.serial('an API killed in the middle of a request answers it when asked again', async (t) => {
  t.timeout(patient(REPEATS * CASE_TIMEOUT_MS));
  const api = await startApiProcess(t, stack);

  for (let turn = 1; turn <= REPEATS; turn += 1) {
    const key = `api-killed-${turn}`;
    const body = shipmentBody(stack.account, 'run');
    await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
    const cut = api.client.create(body, key).catch((error: unknown) => error);
    await eventually(() => exists(stack, `state = 'reserved'`), 'the reservation');
    await api.process.kill9();
    const lost = await cut;
    await stack.sandbox.fault({ operation: 'book', kind: 'none' });
    await api.process.start();
    const again = await api.client.create(body, key);

    t.true(lost instanceof Error);
    t.is(again.status, 201, again.text);
    t.deepEqual(await violations(stack, api.client, [{ key, body, status: 201, text: again.text }]), []);
  }
});

/** Lets nobody write to the table until the returned function is called. */
async function holdTable(stack: TestStack, table: string): Promise<() => Promise<void>> {
  const connection = await createConnection(stack.config.databaseUrl);
  await connection.query(`LOCK TABLES ${table} READ`);
  return async () => {
    await connection.query('UNLOCK TABLES');
    await connection.end();
  };
}

/** Whether a statement that begins like this waits for a lock in the stack's database. */
async function isWaiting(stack: TestStack, statement: string): Promise<boolean> {
  const rows = await stack.db.select(
    `SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting%' AND info LIKE ?`,
    [`${statement}%`],
  );
  return rows.length > 0;
}

async function exists(stack: TestStack, where: string, moreThan = 0): Promise<boolean> {
  const [row] = await stack.db.select(`SELECT COUNT(*) AS shipments FROM shipments WHERE ${where}`);
  return Number(row?.shipments) > moreThan;
}
