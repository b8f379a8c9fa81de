import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { ProcessSpec } from '../../tools/launcher/child.js';
import { SetupError } from '../../tools/launcher/progress.js';
import { until } from '../../tools/launcher/run.js';
import { Supervisor } from '../../tools/launcher/supervisor.js';
import { patient } from '../support/patience.js';

function spec(
  folder: string,
  name: string,
  script: string,
  overrides: Partial<ProcessSpec> = {},
): ProcessSpec {
  return {
    name,
    command: process.execPath,
    args: ['-e', script],
    logFile: join(folder, `${name}.log`),
    healthy: async () => true,
    startTimeoutMs: patient(5000),
    stopTimeoutMs: patient(5000),
    ...overrides,
  };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a process that lives and does not work is ended and started again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  const supervisor = new Supervisor(() => undefined);
  t.teardown(async () => {
    await supervisor.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  let hung = 0;
  const pid = () => supervisor.processes()[0]?.pid ?? null;
  const healthy = async () => {
    if (hung !== 0 && pid() === hung) throw new Error('interrupted');
    return true;
  };
  await supervisor.add(spec(folder, 'hanging', 'setInterval(() => {}, 1000)', { healthy, hungAfterMs: 300 }));
  const first = pid() ?? 0;

  hung = first;
  const back = await until(async () => pid() !== null && pid() !== first, patient(10_000));

  t.true(back);
  t.false(alive(first));
});

test('a killed process is started again, and all are gone after the stop', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  let changes = 0;
  const supervisor = new Supervisor(() => {
    changes += 1;
  });
  t.teardown(async () => {
    await supervisor.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });
  await supervisor.add(spec(folder, 'steady', 'setInterval(() => {}, 1000)'));
  const first = supervisor.processes()[0]?.pid ?? 0;
  const before = changes;

  process.kill(first, 'SIGKILL');
  const back = await until(async () => {
    const pid = supervisor.processes()[0]?.pid ?? null;
    return pid !== null && pid !== first;
  }, 5000);
  const second = supervisor.processes()[0]?.pid ?? 0;
  await supervisor.stopAll();

  t.true(back);
  t.true(changes > before);
  t.false(alive(first));
  t.false(alive(second));
});

test('a process that ends while starting is reported with the end of its log', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
  const supervisor = new Supervisor(() => undefined);
  t.teardown(async () => {
    await supervisor.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const error = await t.throwsAsync(
    supervisor.add(
      spec(folder, 'broken', 'console.error("no such table"); process.exit(3)', {
        healthy: async () => false,
      }),
    ),
    { instanceOf: SetupError },
  );

  t.regex(error.message, /broken ended while starting/);
  t.regex(error.message, /no such table/);
});
