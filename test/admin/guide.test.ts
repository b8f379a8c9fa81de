import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createConnection } from 'mysql2/promise';
import { allCarriers } from '../../src/carriers/registry.js';
import { loadConfig } from '../../src/config/config.js';
import { openDatabase } from '../../src/db/database.js';
import { resolveToken } from '../../src/services/accounts/access-tokens.js';
import { openTemporal } from '../../src/temporal/client.js';
import { startSandbox } from '../../tools/doubles/carriers/server.js';
import { databaseOn } from '../../tools/engines/test-schema.js';
import { distFolder, projectFolder } from '../../tools/launcher/paths.js';
import { run } from '../../tools/launcher/run.js';
import { registerNamespace } from '../support/namespace.js';
import { runApi } from '../support/run-api.js';
import { runWorkers } from '../support/run-workers.js';

/** The guide's command blocks in order, with API calls separate. */
function guide(): { setUp: string; calls: { path: string; body: string }[] } {
  const text = readFileSync(join(projectFolder, 'docs/guides/set-up-a-merchant.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  const calls = blocks.filter((block) => block.startsWith('curl '));
  return {
    setUp: blocks
      .filter((block) => !block.startsWith('curl '))
      .join('')
      .replaceAll('node dist/', `'${process.execPath}' '${distFolder}'/`),
    calls: calls.map((call) => ({
      path: /\$BASE_URL(\/[^"]+)"/.exec(call)?.[1] ?? '',
      body: /-d '(.*)'/s.exec(call)?.[1] ?? '',
    })),
  };
}

test('the guide: its commands set up a merchant in an empty database, who books with each API', async (t) => {
  const name = randomBytes(4).toString('hex');
  const sandbox = await startSandbox('run');
  t.teardown(() => sandbox.close());
  const env = {
    DATABASE_URL: databaseOn(process.env.DATABASE_URL ?? '', `test_guide_${name}`),
    TEMPORAL_ADDRESS: process.env.TEMPORAL_ADDRESS ?? '',
    TEMPORAL_NAMESPACE: `test-guide-${name}`,
    APP_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'silent',
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  t.teardown(async () => {
    const connection = await createConnection(databaseOn(process.env.DATABASE_URL ?? '', ''));
    await connection.query(`DROP DATABASE IF EXISTS test_guide_${name}`);
    await connection.end();
  });
  const config = { ...loadConfig(env), port: 0 };
  const temporal = openTemporal(config);
  t.teardown(() => temporal.connection.close());
  await registerNamespace(temporal);
  const { setUp, calls } = guide();
  const results = 'echo "RESULT $client_id $client_secret $token $license"';

  const { code, output } = await run('sh', ['-eu', '-c', `${setUp}\n${results}`], {
    env: { ...env, CARRIER_URL: sandbox.url, CARRIER_TOKEN: 'carrier-secret-77' },
    timeoutMs: 300_000,
  });

  t.is(code, 0, output);
  t.false(output.includes('carrier-secret-77'));
  const [, clientId = '', clientSecret = '', token = '', license = ''] =
    /^RESULT (\S+) (\S+) (\S+) (\S+)$/m.exec(output) ?? [];
  const db = openDatabase({ url: env.DATABASE_URL, poolSize: 5 });
  t.teardown(() => db.close());
  t.like(await resolveToken(db, token), { kind: 'user', isPremium: true });
  const api = await runApi(config, db, temporal, allCarriers());
  t.teardown(api.close);
  t.teardown(await runWorkers(config, db, temporal, allCarriers()));
  const answers: { path: string; status: number; code: unknown }[] = [];
  for (const { path, body } of calls) {
    const answer = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-client-id': clientId,
        'x-client-secret': clientSecret,
      },
      body: body.replace(`'"$token"'`, token).replace(`'"$license"'`, license),
    });
    const { data } = (await answer.json()) as { data?: { tracking_code?: string; code?: string } };
    answers.push({ path, status: answer.status, code: data?.tracking_code ?? data?.code });
  }
  const ledger = (await (await fetch(`${sandbox.url}/__ledger`)).json()) as { code: string }[];
  t.deepEqual(answers, [
    { path: '/api/v2/shipments', status: 201, code: ledger[0]?.code },
    { path: '/api/shipping/open_new_order', status: 200, code: ledger[1]?.code },
  ]);
  t.is(ledger.length, 2);
});
