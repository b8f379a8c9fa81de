import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { patient } from '../support/patience.js';
import { startApiProcess, startOwnEngines, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { acceptMany, answerTooLate, countsOf, endsWell, reconcileBy, sendAway } from './way-back.js';

const BEFORE = 24;
const SINCE = Number(process.env.FAULT_CREATIONS ?? 60);
/** The database of the development server, with what it has not merged. */
const FILES = ['temporal.db', 'temporal.db-wal', 'temporal.db-shm'];

const owner = new CleanUps();
test.after.always(() => owner.end());

test.serial(
  'the engine is restored to an earlier moment: runs that it lost go on, none books again',
  async (t) => {
    t.timeout(patient(600_000));
    const engines = await startOwnEngines(owner);
    const stack = await startStack({ engines });
    owner.teardown(() => stack.close());
    const api = await startApiProcess(owner, stack, { CREATE_WAIT_MS: '300' });
    const worker = await startWorkerProcess(owner, stack);
    t.teardown(() => {
      if (!t.passed) t.log(worker.log, api.process.log);
    });
    const goOn = await sendAway(stack);
    const early = await acceptMany(stack, api.client, BEFORE);
    await engines.temporal.stop();
    copy(engines.folder, join(engines.folder, 'backup'));
    await engines.temporal.start();
    await goOn();
    const done = await acceptMany(stack, api.client, SINCE / 2);
    const answersAgain = await answerTooLate(stack);
    const late = await acceptMany(stack, api.client, SINCE / 2);
    await Promise.all([worker.kill9(), api.process.kill9()]);
    await answersAgain();
    await engines.temporal.stop();
    copy(join(engines.folder, 'backup'), engines.folder);
    await engines.temporal.start();
    const [row] = await stack.db.select("SELECT COUNT(*) AS open FROM shipments WHERE state = 'reserved'");

    const found = await reconcileBy(stack);
    const applied = await reconcileBy(stack, '--apply');
    await startWorkerProcess(owner, stack);
    await api.process.start();

    t.log(`${row?.open} under way; ${JSON.stringify(countsOf(found))}`);
    t.is(found.code, 1);
    t.true((countsOf(found)['creation without a run'] ?? 0) > 0);
    t.is(countsOf(applied)['creation without a run'], countsOf(found)['creation without a run']);
    await endsWell(t, stack, api.client, [...early, ...done, ...late]);
  },
);

function copy(from: string, to: string): void {
  for (const name of FILES) {
    rmSync(join(to, name), { force: true });
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name));
  }
}
