import test from 'ava';
import { LIMITS } from '../../src/lib/limits/values.js';
import { shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import { startApiProcess, startOwnEngines, startWorkerProcess } from '../support/processes.js';
import { startStack, type TestStack } from '../support/stack.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);
const ITEMS = Number(process.env.FAULT_BATCH_ITEMS ?? 40);
const TIMEOUT_MS = 120_000 + ITEMS * 1000;

/** Where the batch has room, a few items come twice, so that two of them may race for one shipment. */
const TWICE = Math.min(3, LIMITS.batches.items - ITEMS);

function bodies(stack: TestStack): object[] {
  const distinct = Array.from({ length: ITEMS }, () => shipmentBody(stack.account, 'run'));
  return [...distinct, ...distinct.slice(0, TWICE)];
}

test('worker, API, Temporal and MySQL killed in turn during a batch: each distinct item is one parcel', async (t) => {
  t.timeout(patient(REPEATS * 3 * TIMEOUT_MS));
  const engines = await startOwnEngines(t);
  const stack = await startStack({ engines });
  t.teardown(() => stack.close());
  const [api, worker] = await Promise.all([startApiProcess(t, stack), startWorkerProcess(t, stack)]);

  for (let turn = 1; turn <= REPEATS; turn += 1) {
    const before = (await stack.sandbox.ledger()).length;
    const bookedMoreThan = (share: number) =>
      eventually(
        async () => (await stack.sandbox.ledger()).length - before > ITEMS * share,
        `${share} of the parcels`,
        TIMEOUT_MS,
      );
    const body = { license_key: stack.account.licenseKeys.run, shipments: bodies(stack) };
    const cut = api.client
      .post('/batches', body, { 'idempotency-key': `turn-${turn}` })
      .catch(() => undefined);
    await eventually(() => hasBatches(stack, turn), 'the stored batch');
    await api.process.kill9();
    await cut;
    await api.process.start();
    const again = await api.client.post('/batches', body, { 'idempotency-key': `turn-${turn}` });
    const startedAt = Date.now();
    await bookedMoreThan(0.1);
    await worker.kill9();
    await worker.start();
    await bookedMoreThan(0.3);
    await engines.temporal.kill9();
    await engines.temporal.start();
    await bookedMoreThan(0.5);
    await engines.mysql.kill9();
    await engines.mysql.start();
    const batch = await eventually(
      async () => {
        const answer = await api.client.get(`/batches/${again.body.data.id}`);
        return answer.status === 200 && answer.body.data.status === 'completed' && answer.body.data;
      },
      'the end of the batch',
      TIMEOUT_MS,
    );
    t.log(`${turn}: ended ${Date.now() - startedAt} ms after it was accepted`);

    t.is(again.status, 202, again.text);
    t.deepEqual(batch.summary, { total: ITEMS + TWICE, created: ITEMS + TWICE, failed: 0, pending: 0 });
    const uuids = await shipmentsOf(stack, batch.id);
    t.is(new Set(uuids).size, ITEMS);
    const parcels = (await stack.sandbox.ledger()).map((entry) => entry.reference);
    t.is(parcels.length - before, ITEMS);
    t.true(uuids.every((uuid) => parcels.includes(uuid)));
    t.deepEqual(await violations(stack, api.client, []), []);
  }
});

async function hasBatches(stack: TestStack, count: number): Promise<boolean> {
  const [row] = await stack.db.select('SELECT COUNT(*) AS batches FROM batches');
  return Number(row?.batches) === count;
}

async function shipmentsOf(stack: TestStack, uuid: string): Promise<string[]> {
  const rows = await stack.db.select(
    `SELECT i.shipment_uuid FROM batch_items i JOIN batches b ON b.id = i.batch_id WHERE b.uuid = ?`,
    [uuid],
  );
  return rows.map((row) => String(row.shipment_uuid));
}
