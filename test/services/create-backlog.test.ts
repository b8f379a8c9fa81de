import test from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { startStack } from '../support/stack.js';

/** Always accepted, however long they wait. */
const MANY = 32;
/** One that waits longer blocks others. */
const OLD_MS = 3100;

test('POST /shipments: refused while many wait for a worker, not while many wait for a carrier', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  const api = new ApiClient(await stack.startApi(undefined, { createWaitMs: 50_000 }), stack.account);
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const create = (index: number) => api.create(shipmentBody(stack.account, 'run'), `backlog-${index}`);
  const taken = Array.from({ length: MANY }, (_, index) => create(index));
  await eventually(async () => {
    const { count } = await stack.temporal.workflow.count(`WorkflowType = 'createShipment'`);
    return count === MANY;
  }, 'all creations in the engine');
  const knownAt = Date.now();
  await eventually(() => Date.now() - knownAt > OLD_MS, 'all of them to be old');

  const refused = await create(MANY);
  const read = await api.get('/account');
  await stack.startWorkers();
  await begins(MANY);
  const late = await eventually(async () => {
    const answer = create(MANY);
    const isRefused = await Promise.race([answer.then(({ status }) => status === 503), begins(MANY + 1)]);
    return !isRefused && { answer };
  }, 'one more to be taken');
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
  const answers = await Promise.all([...taken, late.answer]);

  t.is(refused.status, 503);
  t.is(refused.body.error.message, 'The service is busy. Try again shortly.');
  t.is(read.status, 200);
  // 202 when a slow machine asks the carrier later.
  t.deepEqual(
    answers.filter(({ status }) => status !== 201 && status !== 202).map(({ text }) => text),
    [],
  );

  async function begins(count: number): Promise<boolean> {
    await eventually(async () => {
      const [row] = await stack.db.select('SELECT COUNT(*) AS begun FROM shipments');
      return Number(row?.begun) === count;
    }, `a worker to have begun ${count} creations`);
    return false;
  }
});
