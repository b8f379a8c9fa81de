import test from 'ava';
import { run } from '../../src/carriers/run/index.js';
import { shipmentBody } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { violations } from '../support/invariants.js';
import { patient } from '../support/patience.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { Load } from './load.js';

const REPEATS = Number(process.env.FAULT_REPEATS ?? 1);
/** The part of its carrier's places that a host which holds its calls gets: more would wait for one of them. */
const IN_FLIGHT = run.limits.concurrency / 2;

test('API and worker stopped under load finish what they took, and others take over', async (t) => {
  t.timeout(patient(REPEATS * 90_000));
  const stack = await startStack();
  t.teardown(() => stack.close());
  const startBoth = () => Promise.all([startApiProcess(t, stack), startWorkerProcess(t, stack)]);
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
    const first = await taken;
    const ends = await stops;
    const answers = await Promise.all(
      first.map(async ({ key, body }) => {
        const { status, text } = await nextApi.client.create(body, key);
        return { key, body, status, text };
      }),
    );
    await load.stop();

    t.deepEqual(
      ends.map(({ value }) => value),
      [0, 0],
      api.process.log + worker.log,
    );
    t.true(
      first.every(({ status }) => status === 201 || status === 202),
      first.map(({ status }) => status).join(' '),
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

test('an API that is stopped says so first, and answers 202 for what the carrier holds for longer', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  const [api] = await Promise.all([startApiProcess(t, stack), startWorkerProcess(t, stack)]);
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const bodies = Array.from({ length: IN_FLIGHT }, () => shipmentBody(stack.account, 'run'));
  const taken = Promise.allSettled(bodies.map((body, index) => api.client.create(body, `held-${index}`)));
  await eventually(async () => {
    const [row] = await stack.db.select(
      `SELECT COUNT(*) AS open FROM carrier_attempts WHERE state = 'sending'`,
    );
    return Number(row?.open) === IN_FLIGHT;
  }, 'all bookings under way');

  const stop = timed(api.process.stop());
  const ready = await eventually(async () => {
    const response = await fetch(`${api.url}/health/ready`);
    const body = await response.text();
    return response.status === 503 && body;
  }, 'the API to be no longer ready');
  const answers = await taken;
  const { value, tookMs } = await stop;

  t.is(JSON.parse(ready).status, 'draining');
  t.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : String(answer.reason))),
    bodies.map(() => 202),
  );
  t.is(value, 0, api.process.log);
  t.true(tookMs < patient(11_000), `the API stopped in ${tookMs} ms`);
  await stack.sandbox.fault({ operation: 'book', kind: 'none' });
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
