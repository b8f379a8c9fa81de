import test from 'ava';
import { workflowIds } from '../../src/contracts/ids.js';
import { eventually } from '../support/conditions.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';

test('a worker killed while it fetches the points loses nothing: the question is answered by the next', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  const [api, worker] = await Promise.all([startApiProcess(t, stack), startWorkerProcess(t, stack)]);
  await stack.sandbox.fault({ operation: 'points', kind: 'latency', value: 30_000 });
  const license = stack.account.licenseKeys.run ?? '';
  const [row] = await stack.db.select('SELECT id FROM licenses WHERE license_key = ?', [license]);
  const run = stack.temporal.workflow.getHandle(workflowIds.refreshPickupPoints(Number(row?.id)));

  const ask = () => api.client.get(`/pickup-points?license_key=${license}`);
  const asked = ask();
  await eventually(async () => {
    const description = await run.describe().catch(() => undefined);
    return description?.raw.pendingActivities?.some((one) => one.lastHeartbeatTime != null);
  }, 'the carrier being asked');
  await worker.kill9();
  await worker.start();
  const first = await asked;
  // A slow machine may start a worker later than a question waits; the answer then says to ask again.
  const answer = first.status === 503 ? await ask() : first;

  t.is(answer.status, 200, answer.text);
  t.is(answer.body.data.length, 3);
  t.deepEqual(await run.result(), { renewed: 1, failed: 0 });
});
