import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { keepLogs } from './logs.js';

test('the logs of all processes stay when the folders of the run are gone', (t) => {
  const run = mkdtempSync(join(tmpdir(), 'parcelworks-test-'));
  const withLog = (name: string) => {
    const logFile = join(run, name, 'api.log');
    mkdirSync(join(run, name));
    writeFileSync(logFile, `log of ${name}`);
    return { logFile };
  };
  const kept = keepLogs({
    nodes: [
      { kind: 'API', process: withLog('one') },
      { kind: 'API', process: withLog('two') },
      { kind: 'worker', process: withLog('three') },
    ],
    engines: { mysql: withLog('four'), temporal: withLog('five') },
  });
  t.teardown(() => rmSync(kept, { recursive: true }));

  rmSync(run, { recursive: true });

  const read = (name: string) => readFileSync(join(kept, name), 'utf8');
  t.deepEqual(readdirSync(kept).sort(), [
    'API-1.log',
    'API-2.log',
    'MySQL.log',
    'engine.log',
    'worker-3.log',
  ]);
  t.is(read('API-2.log'), 'log of two');
  t.is(read('engine.log'), 'log of five');
});
