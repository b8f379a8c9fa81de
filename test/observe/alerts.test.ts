import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';
import { anchorsOf } from '../support/doc-pages.js';

const OBSERVE = join(projectFolder, 'docker/observe');
const rules = readFileSync(join(OBSERVE, 'alerts.yaml'), 'utf8');
const promtool = process.env.PROMTOOL;
const testWithPromtool = promtool === undefined ? test.skip : test;

testWithPromtool(
  'alerts: each is fired by its figures, and none by those of a service at work',
  async (t) => {
    const { code, output } = await run(promtool ?? '', [
      'test',
      'rules',
      join(projectFolder, 'test/observe/alerts.test.yaml'),
    ]);

    t.is(code, 0, output);
  },
);

testWithPromtool('prometheus.yaml: Prometheus takes it', async (t) => {
  const { code, output } = await run(promtool ?? '', ['check', 'config', join(OBSERVE, 'prometheus.yaml')]);

  t.is(code, 0, output);
});

test('alerts: each has a test in which it fires, and one in which it does not', (t) => {
  const tests = readFileSync(join(projectFolder, 'test/observe/alerts.test.yaml'), 'utf8');

  for (const [, name = ''] of rules.matchAll(/- alert: (\w+)/g)) {
    t.regex(tests, new RegExp(`- alertname: ${name}\n +eval_time: \\w+\n +exp_alerts:`), name);
    t.regex(tests, new RegExp(`- \\{ alertname: ${name}, eval_time: \\w+ \\}`), name);
  }
});

test('alerts: each runbook is a section of the guide for operators, and each is listed there', (t) => {
  const guide = readFileSync(join(projectFolder, 'docs/operate.md'), 'utf8');
  const anchors = anchorsOf({ text: guide });
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  const runbooks = [...rules.matchAll(/runbook: (\S+)/g)].map(([, link = '']) => link);

  t.is(runbooks.length, names.length);
  t.deepEqual(
    runbooks.filter((link) => !anchors.has(link.replace('docs/operate.md#', ''))),
    [],
  );
  t.deepEqual(
    names.filter((name) => !guide.includes(`\`${name}\``)),
    [],
  );
});
