import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import test from 'ava';
import { createWaker } from '../../src/temporal/wake.js';
import { patient } from '../support/patience.js';

test('wake: an event of many webhooks starts a few runs at a time, each once', async (t) => {
  const started: string[] = [];
  let open = 0;
  let most = 0;
  const client = {
    withDeadline: (_until: number, call: () => Promise<unknown>) => call(),
    workflow: {
      async signalWithStart(_type: string, { workflowId }: { workflowId: string }) {
        open += 1;
        most = Math.max(most, open);
        started.push(workflowId);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
      },
    },
  } as unknown as Client;
  const waker = createWaker(client, {
    onTrouble: (error) => t.fail(String(error)),
    summaryOf: async () => null,
  });
  const targets = Array.from({ length: 100 }, (_, index) => ({
    kind: 'webhook' as const,
    licenseId: 1,
    subscriptionId: `s${index}`,
  }));

  waker.wake(targets);
  waker.wake(targets);
  const atOnce = started.length;
  await waker.close();

  t.is(atOnce, 0);
  t.deepEqual(
    started.toSorted(),
    targets.map(({ subscriptionId }) => `webhook/${subscriptionId}`).toSorted(),
  );
  t.true(most <= 4, `${most} at once`);
});

test.serial('wake: a clock set back delays nobody', async (t) => {
  const { now } = Date;
  let backMs = 0;
  Date.now = () => now() - backMs;
  t.teardown(() => {
    Date.now = now;
  });
  let told = (_workflowId: string) => {};
  const client = {
    withDeadline: (_until: number, call: () => Promise<unknown>) => call(),
    workflow: {
      signalWithStart: async (_type: string, { workflowId }: { workflowId: string }) => told(workflowId),
    },
  } as unknown as Client;
  const waker = createWaker(client, {
    onTrouble: (error) => t.fail(String(error)),
    summaryOf: async () => null,
  });
  t.teardown(() => waker.close());
  const wake = (subscriptionId: string) => {
    const woken = new Promise<boolean>((resolve) => {
      told = (workflowId) => {
        if (workflowId === `webhook/${subscriptionId}`) resolve(true);
      };
      waker.wake([{ kind: 'webhook', licenseId: 1, subscriptionId }]);
    });
    return Promise.race([woken, delay(patient(5000), false)]);
  };

  const before = await wake('before');
  backMs = 3_600_000;
  const after = await wake('after');

  t.deepEqual([before, after], [true, true]);
});
