import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { findBrowser, NoBrowser } from '../../src/documents/browser/find.js';
import { shipmentBody } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { startApiProcess, startWorkerProcess, temporaryFolder } from '../support/processes.js';
import { startStack } from '../support/stack.js';

const MISSING = 'PUPPETEER_EXECUTABLE_PATH names /nowhere/chromium, which is no program.';

test('worker: without a browser it logs a warning at the start, and label requests fail at once', async (t) => {
  const owner = new CleanUps();
  t.teardown(() => owner.end());
  const stack = await startStack();
  owner.teardown(() => stack.close());
  const settings = { LOG_LEVEL: 'info', PUPPETEER_EXECUTABLE_PATH: '/nowhere/chromium' };
  const worker = await startWorkerProcess(owner, stack, settings);
  const { client, process: api } = await startApiProcess(owner, stack);
  const bodies = [1, 2, 3].map(() => shipmentBody(stack.account, 'independent'));
  const created = await Promise.all(bodies.map((body) => client.create(body)));

  // One is printed alone, and the others together.
  const asked = await Promise.all(
    created.map(({ body }) => client.get(`/shipments/${body.data.uuid}/label`)),
  );

  for (const { status, body: answer } of asked) {
    t.is(status, 503);
    t.regex(answer.error.message, /no browser/);
  }
  const lines = await eventually(() => {
    const found = linesOf(worker.logFile);
    return found.filter(({ msg }) => msg === 'Workflow failed').length === 2 && found;
  }, 'the end of both runs');
  t.is(
    lines.filter(({ level, msg }) => level === 'error' && msg === `No label can be printed. ${MISSING}`)
      .length,
    1,
  );
  const tries = lines.filter(({ msg }) => msg === 'Activity failed');
  t.deepEqual(
    tries.map(({ engine }) => [engine.activityType, engine.attempt, engine.reason]),
    ['renderLabels', 'renderLabelsTogether'].map((type) => [type, 1, `NoBrowser: ${MISSING}`]),
  );
  const refused = linesOf(api.logFile).find(({ msg }) => msg === 'failed');
  t.regex(refused.error.message, /no browser/);
});

test('findBrowser: the configured one, else one on the PATH', (t) => {
  const folder = temporaryFolder(t);
  const program = join(folder, 'chromium');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const environment = { PATH: `/nowhere:${folder}` };

  t.is(findBrowser({ executablePath: program, environment: {} }), program);
  t.is(findBrowser({ executablePath: null, environment }), program);
  t.throws(() => findBrowser({ executablePath: join(folder, 'none'), environment }), {
    instanceOf: NoBrowser,
  });
});

function linesOf(file: string): any[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
