import test from 'ava';
import { adviseOnBuild } from '../../src/main/build-advice.js';
import { openTemporal } from '../../src/temporal/client.js';

test('adviseOnBuild: an engine that does not answer is a line of the log, and no end of the worker', async (t) => {
  const nowhere = openTemporal({
    temporalAddress: '127.0.0.1:9',
    temporalAccess: {},
    temporalNamespace: 'default',
    payloadEncryption: null,
  });
  t.teardown(() => nowhere.connection.close());
  const lines: string[] = [];

  await adviseOnBuild('1.5.0', nowhere, (line) => lines.push(line));

  t.is(lines.length, 1);
  t.regex(lines[0] ?? '', /^Temporal does not say whether runs come to build 1\.5\.0/);
});
