import type { Client } from '@temporalio/client';
import test from 'ava';
import { openDatabase } from '../../src/db/database.js';
import { createEngineProbe } from '../../src/main/engines.js';
import { runTogether } from '../../src/main/run-together.js';
import { eventually } from '../support/conditions.js';
import { startStack } from '../support/stack.js';

test('GET /health/ready: a process with all connections in use is ready, and repeated requests cost nothing', async (t) => {
  const stack = await startStack();
  t.teardown(() => stack.close());
  const { databaseUrl } = stack.config;
  const probe = createEngineProbe({ databaseUrl }, stack.temporal);
  const taken = openDatabase({ url: databaseUrl, poolSize: 1 });
  t.teardown(async () => {
    await probe.close();
    await taken.close();
  });
  const work = taken.select('SELECT SLEEP(20)').catch(() => undefined);
  const others = () =>
    stack.db.select(
      "SELECT id FROM information_schema.processlist WHERE info LIKE '%SLEEP(20)%' AND id <> CONNECTION_ID()",
    );
  const [worker] = await eventually(async () => {
    const rows = await others();
    return rows.length > 0 && rows;
  }, 'the statement that takes the pool');

  const answers = await Promise.all(Array.from({ length: 50 }, () => probe.ask()));

  t.deepEqual(answers[0], { mysql: true, temporal: true, reason: null });
  t.is(new Set(answers).size, 1);
  await stack.db.run(`KILL QUERY ${Number(worker?.id)}`);
  await work;
});

test('GET /health/ready: reports that both engines are down', async (t) => {
  const probe = createEngineProbe({ databaseUrl: 'mysql://root@127.0.0.1:9/none' }, {
    withDeadline: async () => {
      throw new Error('away');
    },
  } as unknown as Client);
  t.teardown(() => probe.close());

  t.deepEqual(await probe.ask(), { mysql: false, temporal: false, reason: 'MySQL does not answer.' });
});

test('worker: when a queue fails, the others stop and the process fails', async (t) => {
  const stopped: string[] = [];
  const healthy = (name: string) => {
    let stop: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      stop = resolve;
    });
    return {
      run: () => ended,
      getState: () => 'RUNNING' as const,
      shutdown: () => {
        stopped.push(name);
        stop();
      },
    };
  };
  const failing = {
    run: () => Promise.reject(new Error('poll failed')),
    getState: () => 'FAILED' as const,
    shutdown: () => undefined,
  };

  await t.throwsAsync(runTogether([healthy('one'), failing, healthy('two')], 60_000), {
    message: 'poll failed',
  });

  t.deepEqual(stopped, ['one', 'two']);
});

test('runTogether: throws the failure when another worker never stops', async (t) => {
  const hanging = {
    run: () => new Promise<void>(() => undefined),
    getState: () => 'RUNNING' as const,
    shutdown: () => undefined,
  };
  const failing = { ...hanging, run: () => Promise.reject(new Error('poll failed')) };

  await t.throwsAsync(runTogether([hanging, failing], 10), { message: 'poll failed' });
});
