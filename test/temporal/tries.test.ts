import { isGrpcServiceError } from '@temporalio/client';
import test from 'ava';
import { loadConfig } from '../../src/config/config.js';
import { openTemporal } from '../../src/temporal/client.js';
import { isEngineTrouble } from '../../src/temporal/outcomes.js';

function unreachable() {
  return openTemporal(
    loadConfig({
      DATABASE_URL: 'mysql://root@127.0.0.1:9/none',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      APP_KEY: Buffer.alloc(32).toString('base64'),
    }),
  );
}

// The process of the test ends where the next try throws outside of it.
test('a call fails when its connection is closed between two tries', async (t) => {
  const { connection } = unreachable();
  const call = connection.withDeadline(Date.now() + 60_000, () =>
    connection.workflowService.getSystemInfo({}),
  );
  const failed = t.throwsAsync(call);
  // Its first try has failed, and the next one waits.
  await t.throwsAsync(connection.withDeadline(Date.now() + 30, () => connection.ensureConnected()));

  await connection.close();
  const error = await failed;

  t.true(isGrpcServiceError(error));
  t.true(isEngineTrouble(error));
  t.regex(error?.message ?? '', /connection is closed/);
});

test('a call over a closed connection fails', async (t) => {
  const { connection } = unreachable();
  await connection.close();

  const error = await t.throwsAsync(connection.workflowService.getSystemInfo({}));

  t.true(isEngineTrouble(error));
});
