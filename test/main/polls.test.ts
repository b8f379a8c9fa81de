import test from 'ava';
import { PollWatch } from '../../src/main/polls.js';
import { WorkerHealth } from '../../src/main/worker-health.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { TestProcess, workerSpec } from '../support/processes.js';
import { startStack } from '../support/stack.js';

const QUEUES = ['shipments', 'mail'];

const ANSWERS: Readonly<Record<string, readonly [empty: string, full: string]>> = {
  ActivityWorker: ['activity_poll_no_task', 'activity_task_received'],
  WorkflowWorker: ['workflow_task_queue_poll_empty', 'workflow_task_queue_poll_succeed'],
};

/** The SDK's figures: polls that were answered without a task and with one, by queue. */
function figures(polls: Record<string, { empty?: number; tasks?: number; free?: number }>): string {
  return Object.entries(polls)
    .flatMap(([key, { empty = 0, tasks = 0, free = 5 }]) => {
      const [queue, kind = ''] = key.split(' ');
      const labels = `namespace="n",task_queue="${queue}"`;
      const [none, some] = ANSWERS[kind] ?? [];
      return [
        `temporal_${none}_total{${labels}} ${empty}`,
        `temporal_${some}_total{eager="false",${labels}} ${tasks}`,
        `temporal_long_request_latency_seconds_count{${labels}} 1000`,
        `temporal_worker_task_slots_available{${labels},worker_type="${kind}"} ${free}`,
      ];
    })
    .join('\n');
}

function watchAt() {
  const clock = { ms: 0 };
  return { clock, watch: new PollWatch(QUEUES, ['shipments'], () => clock.ms) };
}

test('polls: a queue that answers no poll for 90 seconds is silent, until one is answered', (t) => {
  const { clock, watch } = watchAt();
  const all = (mail: { empty?: number; tasks?: number }, others: number) =>
    figures({
      'shipments ActivityWorker': { empty: others },
      'shipments WorkflowWorker': { tasks: others },
      'mail ActivityWorker': mail,
    });
  watch.note(all({ empty: 3 }, 1));
  clock.ms = 60_000;
  watch.note(all({ empty: 3 }, 2));
  const before = [watch.ages, watch.silent];
  clock.ms = 91_000;
  watch.note(all({ empty: 3 }, 3));
  const silent = [watch.ages, watch.silent];
  clock.ms = 92_000;
  watch.note(all({ empty: 3, tasks: 1 }, 3));

  t.deepEqual(before, [{ shipments: 0, mail: 60 }, null]);
  t.deepEqual(silent, [{ shipments: 0, mail: 91 }, 'mail']);
  t.deepEqual([watch.ages, watch.silent], [{ shipments: 1, mail: 0 }, null]);
});

test('polls: a queue of workflows is as old as the older of its two kinds of polls', (t) => {
  const { clock, watch } = watchAt();
  clock.ms = 95_000;
  watch.note(figures({ 'shipments ActivityWorker': { empty: 1 }, 'mail ActivityWorker': { empty: 1 } }));

  t.deepEqual([watch.ages, watch.silent], [{ shipments: 95, mail: 0 }, 'shipments']);
});

test('polls: a worker with all its places in use asks for nothing, and is not silent', (t) => {
  const { clock, watch } = watchAt();
  clock.ms = 200_000;
  watch.note(
    figures({
      'shipments ActivityWorker': { empty: 1 },
      'shipments WorkflowWorker': { empty: 1 },
      'mail ActivityWorker': { free: 0 },
    }),
  );

  t.is(watch.silent, null);
});

test('polls: figures that cannot be read are no answer, nor are those that come back', (t) => {
  const { clock, watch } = watchAt();
  const known = figures({ 'mail ActivityWorker': { empty: 7 } });
  watch.note(known);
  clock.ms = 50_000;
  watch.note('');
  watch.note(known);

  t.is(watch.ages.mail, 50);
});

test('GET /health/ready of a worker: 503 with a reason while an engine is away, or a queue is silent', async (t) => {
  const { clock, watch } = watchAt();
  let away: string | null = null;
  const health = new WorkerHealth({
    ask: async () => ({ mysql: away === null, temporal: true, reason: away }),
  });
  const starting = await health.readiness();
  let state: 'RUNNING' | 'DRAINING' = 'RUNNING';
  health.begin([{ getState: () => state }], watch);
  const ready = await health.readiness();
  away = 'MySQL does not answer.';
  const without = await health.readiness();
  away = null;
  clock.ms = 100_000;
  const silent = await health.readiness();
  state = 'DRAINING';
  const draining = await health.readiness();

  t.is(starting.status, 'starting');
  t.deepEqual(ready, {
    status: 'ok',
    mysql: true,
    temporal: true,
    polls: { shipments: 0, mail: 0 },
    reason: null,
  });
  t.like(without, { status: 'unavailable', mysql: false, reason: 'MySQL does not answer.' });
  t.like(silent, { status: 'unavailable', reason: 'Temporal answers no poll of the queue shipments.' });
  t.like(draining, { status: 'draining', reason: 'The process ends.' });
});

test('GET /health/ready of a worker: a queue with work is answered sooner than an idle one', async (t) => {
  const owner = new CleanUps();
  t.teardown(() => owner.end());
  const stack = await startStack();
  owner.teardown(() => stack.close());
  const spec = await workerSpec(owner, stack);
  await new TestProcess(owner, spec).start();
  const client = new ApiClient(await stack.startApi(), stack.account);
  const answer = await client.create(shipmentBody(stack.account, 'run'));

  const { status } = await eventually(async () => {
    const response = await fetch(`http://127.0.0.1:${spec.env?.WORKER_HEALTH_PORT}/health/ready`);
    const body = (await response.json()) as { status: string; polls: Record<string, number> };
    return Number(body.polls.documents) - Number(body.polls['carrier-run']) >= 2 && body;
  }, 'the answered poll to be seen');

  t.is(answer.status, 201);
  t.is(status, 'ok');
});
