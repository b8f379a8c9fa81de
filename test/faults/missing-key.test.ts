import { randomBytes } from 'node:crypto';
import test from 'ava';
import { ApiClient } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import { anyPort, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { Load } from './load.js';

const KEY = `shared:${randomBytes(32).toString('base64')}`;
const OTHER = `other:${randomBytes(32).toString('base64')}`;
const CLIENTS = 4;

const owner = new CleanUps();
const stack = await startStack({ env: { TEMPORAL_PAYLOAD_KEY: KEY } });
owner.teardown(() => stack.close());
test.after.always(() => owner.end());

/** How many of the worker's tries of workflow tasks failed, by the reason that the alert of stuck runs asks for. */
async function failedTasks(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const failures = text.matchAll(
    /^temporal_workflow_task_execution_failed_total\{[^}]*failure_reason="WorkflowError"[^}]*\} (\d+)/gm,
  );
  return [...failures].reduce((sum, [, count]) => sum + Number(count), 0);
}

test('one of two workers lacks the payload key: parcels are booked once by the other, and all ends when it has it', async (t) => {
  t.timeout(patient(240_000));
  const metricsPort = await anyPort();
  const settings = { WORKER_METRICS_PORT: String(metricsPort) };
  await startWorkerProcess(owner, stack);
  const lacking = await startWorkerProcess(owner, stack, { ...settings, TEMPORAL_PAYLOAD_KEY: OTHER });
  const url = await stack.startApi();
  const load = new Load([url], stack.account).start(t, CLIENTS);

  await eventually(async () => (await failedTasks(metricsPort)) > 0, 'a task that cannot be read', 60_000);
  const before = load.remembered.length;
  await eventually(() => load.remembered.length >= before + 2 * CLIENTS, 'creations beside it', 90_000);
  await lacking.stop();
  await startWorkerProcess(owner, stack, { ...settings, TEMPORAL_PAYLOAD_KEY: `${KEY},${OTHER}` });
  const mended = load.remembered.length;
  await eventually(() => load.remembered.length >= mended + 2 * CLIENTS, 'creations with both workers');
  await load.stop();

  t.deepEqual(load.unexpected, []);
  t.deepEqual(await violations(stack, new ApiClient(url, stack.account), load.remembered), []);
  t.is(await failedTasks(metricsPort), 0);
  t.log(load.summary);
});
