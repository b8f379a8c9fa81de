import test from 'ava';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { startStack } from '../support/stack.js';

const WORKING = 2;

test('creations that no worker has begun count as work, those that a carrier keeps do not', async (t) => {
  t.timeout(60_000);
  const stack = await startStack();
  t.teardown(() => stack.close());
  const api = new ApiClient(
    await stack.startApi(undefined, { maxWorkingRequests: WORKING, createWaitMs: 50_000 }),
    stack.account,
  );
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const create = (index: number) => api.create(shipmentBody(stack.account, 'run'), `backlog-${index}`);
  const taken = Promise.all(Array.from({ length: WORKING }, (_, index) => create(index)));
  await eventually(async () => {
    const { count } = await stack.temporal.workflow.count(`WorkflowType = 'createShipment'`);
    return count === WORKING;
  }, 'all creations in the engine');

  const refused = await create(WORKING);
  await stack.startWorkers();
  await eventually(
    async () => (await api.get('/account')).status === 200,
    'the creations to wait for the carrier',
  );
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
  const answers = await taken;
  const ledger = await stack.sandbox.ledger();

  t.is(refused.status, 503);
  t.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  );
  t.is(ledger.length, WORKING);
});
