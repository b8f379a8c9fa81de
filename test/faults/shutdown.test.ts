import test from 'ava';
import { shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { Load } from './load.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);
const IN_FLIGHT = 20;
/** Longer than two processes need to start on a machine that does other work too. */
const GRACE_MS = 40_000;

test('API and worker stopped under load finish what they took, and others take over', async (t) => {
  t.timeout(REPEATS * 90_000);
  const stack = await startStack();
  t.teardown(() => stack.close());
  const env = { SHUTDOWN_GRACE_MS: String(GRACE_MS) };
  const startBoth = () => Promise.all([startApiProcess(t, stack, env), startWorkerProcess(t, stack, env)]);
  let [api, worker] = await startBoth();

  for (let turn = 1; turn <= REPEATS; turn += 1) {
    await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
    const bodies = Array.from({ length: IN_FLIGHT }, () => shipmentBody(stack.account, 'run'));
    const taken = Promise.all(
      bodies.map(async (body, index) => {
        const key = `stopped-${turn}-${index}`;
        const { status, text } = await api.client.create(body, key);
        return { key, body, status, text };
      }),
    );
    await eventually(async () => {
      const [row] = await stack.db.select(
        `SELECT COUNT(*) AS open FROM carrier_attempts WHERE state = 'sending'`,
      );
      return Number(row?.open) === IN_FLIGHT;
    }, 'all bookings under way');
    const load = new Load([api.url], stack.account).start(t, 2);
    const stops = Promise.all([timed(api.process.stop()), timed(worker.stop())]);
    await eventually(() => refusesConnections(api.url), 'the API to take no more requests');
    await stack.sandbox.fault({ operation: 'book', kind: 'none' });
    const [nextApi, nextWorker] = await startBoth();
    load.useOnly([nextApi.url]);
    const answers = await taken;
    const ends = await stops;
    await load.stop();

    t.deepEqual(
      ends.map(({ value }) => value),
      [0, 0],
      api.process.log + worker.log,
    );
    t.deepEqual(
      answers.map(({ status }) => status),
      bodies.map(() => 201),
    );
    t.deepEqual(load.unexpected, []);
    t.deepEqual(await violations(stack, nextApi.client, [...answers, ...load.remembered]), []);
    const [apiMs, workerMs] = ends.map(({ tookMs }) => tookMs);
    t.log(`${turn}: ${load.summary}; API stopped in ${apiMs} ms, worker in ${workerMs} ms`);
    [api, worker] = [nextApi, nextWorker];
  }
});

async function refusesConnections(url: string): Promise<boolean> {
  return await fetch(`${url}/health/live`).then(
    (response) => response.arrayBuffer().then(() => false),
    () => true,
  );
}

async function timed<T>(work: Promise<T>): Promise<{ value: T; tookMs: number }> {
  const startedAt = Date.now();
  const value = await work;
  return { value, tookMs: Date.now() - startedAt };
}
