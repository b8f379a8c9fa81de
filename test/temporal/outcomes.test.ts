import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import test from 'ava';
import { openTemporal, promptly } from '../../src/temporal/client.js';
import { isEngineTrouble, waitForRun } from '../../src/temporal/outcomes.js';
import { UnreadablePayload } from '../../src/temporal/payload-codec.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { patient } from '../support/patience.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;

test.before(async () => {
  stack = await startStack();
});
test.after.always(() => stack?.close());

/** JSON that becomes three times as long when serialized again. */
const GROWING = `[${'9e15,'.repeat(19_000)}1]`;

function startWith(client: Client, input: string) {
  return promptly(client, () =>
    client.workflow.start('createShipment', { workflowId: 'outcome', taskQueue: 'nobody', args: [input] }),
  );
}

test('isEngineTrouble: false for a call that the engine refuses', async (t) => {
  const refused = await t.throwsAsync(startWith(stack.temporal, 'x'.repeat(3_000_000)));

  t.false(isEngineTrouble(refused));
});

test('isEngineTrouble: true for an unreachable engine', async (t) => {
  const nowhere = openTemporal({ ...stack.config, temporalAddress: '127.0.0.1:9' });
  t.teardown(() => nowhere.connection.close());

  const unreachable = await t.throwsAsync(startWith(nowhere, 'x'));

  t.true(isEngineTrouble(unreachable));
});

test('waitForRun: a timed-out run has failed', async (t) => {
  const client = stack.temporal;
  const handle = await client.workflow.start('createShipment', {
    workflowId: 'late',
    taskQueue: 'nobody',
    workflowRunTimeout: '1s',
  });

  const outcome = await waitForRun(client, handle, { timeoutMs: 30_000 });

  t.like(outcome, { kind: 'failed', type: 'TimedOut' });
});

test('waitForRun: a run ended from outside has no result', async (t) => {
  const client = stack.temporal;
  const handle = await client.workflow.start('createShipment', { workflowId: 'ended', taskQueue: 'nobody' });
  await handle.terminate();

  const outcome = await waitForRun(client, handle, { timeoutMs: 30_000 });

  t.deepEqual(outcome, { kind: 'ended' });
});

test('waitForRun: a result that this process cannot read leaves the run as running, with the reason', async (t) => {
  const cause = new UnreadablePayload('no key');

  const outcome = await waitForRun(
    stack.temporal,
    { result: () => Promise.reject(cause) },
    { timeoutMs: 30_000 },
  );

  t.deepEqual(outcome, { kind: 'running', cause });
});

test.serial('waitForRun: ends in time when the clock is set back', async (t) => {
  const client = stack.temporal;
  const handle = await client.workflow.start('createShipment', { workflowId: 'back', taskQueue: 'nobody' });
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });

  const wait = waitForRun(client, handle, { timeoutMs: 500 });
  Date.now = () => now() - 3_600_000;
  const outcome = await Promise.race([wait, delay(patient(10_000), 'still waiting')]);

  t.deepEqual(outcome, { kind: 'running' });
});

test('isEngineTrouble: false for codes of the call, true for all others', (t) => {
  const failure = (code: number) =>
    Object.assign(new Error('refused'), { code, details: 'refused', metadata: {} });
  const all = Array.from({ length: 16 }, (_, index) => index + 1);

  const ofCalls = all.filter((code) => !isEngineTrouble(new Error('outer', { cause: failure(code) })));

  t.deepEqual(ofCalls, [3, 5, 6, 11, 12]);
});

test('isEngineTrouble: false for other errors', (t) => {
  t.false(isEngineTrouble(new Error('another')));
  t.false(isEngineTrouble(new Error('outer', { cause: new Error('inner') })));
  t.false(isEngineTrouble('text'));
});

test('POST /shipments: an order that is too large when serialized is refused for good', async (t) => {
  const url = await stack.startApi();
  const api = new ApiClient(url, stack.account);
  const { license_key, ship_data } = shipmentBody(stack.account, 'run');
  const body = JSON.stringify({ license_key, ship_data, order: { id: 'large' } });
  const raw = body.replace('"id":"large"', `"id":"large","meta_data":${GROWING}`);

  const refused = await fetch(`${url}/api/v2/shipments`, { method: 'POST', headers: api.headers, body: raw });

  t.true(raw.length < 256 * 1024);
  t.is(refused.status, 422, await refused.text());
});
