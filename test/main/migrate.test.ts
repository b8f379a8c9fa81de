import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import test from 'ava';
import { createConnection } from 'mysql2/promise';
import { allCarriers } from '../../src/carriers/registry.js';
import { loadConfig } from '../../src/config/config.js';
import { scheduleIds } from '../../src/contracts/ids.js';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/search-attributes.js';
import { migrations } from '../../src/db/migrations/index.js';
import { bringUpToDate } from '../../src/services/operations/migrate.js';
import { databaseOn } from '../../tools/engines/test-schema.js';
import { run } from '../../tools/launcher/run.js';
import { registerNamespace } from '../support/namespace.js';

const MIGRATE = fileURLToPath(new URL('../../src/main/migrate.js', import.meta.url));
const server = process.env.DATABASE_URL ?? '';
const address = process.env.TEMPORAL_ADDRESS ?? '';
const name = randomBytes(4).toString('hex');
const database = `test_migrate_${name}`;
const namespace = `test-migrate-${name}`;

let client: Client;

test.before(async () => {
  client = new Client({ connection: await Connection.connect({ address }), namespace });
  await registerNamespace(client);
});

test.after.always(async () => {
  await client.connection.close();
  const connection = await createConnection(databaseOn(server, ''));
  await connection.query(`DROP DATABASE IF EXISTS ${database}`);
  await connection.end();
});

function environment(overrides: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: databaseOn(server, database),
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    APP_KEY: Buffer.alloc(32, 1).toString('base64'),
    LOG_LEVEL: 'info',
    ...overrides,
  };
}

test.serial('migrate: two at once on empty engines both succeed; a later one changes nothing', async (t) => {
  const config = loadConfig(environment());
  const both = await Promise.all([
    bringUpToDate(config, allCarriers()),
    bringUpToDate(config, allCarriers()),
  ]);

  t.deepEqual(
    both.flatMap((one) => one.migrations),
    migrations.map((migration) => migration.name),
  );
  const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace });
  for (const { name: attribute } of Object.values(SEARCH_ATTRIBUTES)) t.truthy(customAttributes?.[attribute]);
  const { pollCarrier, refreshPickupPoints, ...others } = scheduleIds;
  for (const id of [pollCarrier('run'), refreshPickupPoints('run'), ...Object.values(others)]) {
    t.is((await client.schedule.getHandle(id).describe()).scheduleId, id);
  }

  const { code, output } = await run(process.execPath, [MIGRATE], { env: environment(), timeoutMs: 60_000 });
  t.is(code, 0, output);
  t.like(JSON.parse(output), { process: 'migrate', migrations: [], searchAttributes: [] });
});

test.serial('migrate: Schedules that its payload keys cannot read end it with one line', async (t) => {
  const migrateWith = (id: string, clear: string) => {
    const TEMPORAL_PAYLOAD_KEY = `${id}:${randomBytes(32).toString('base64')}`;
    const env = environment({ TEMPORAL_PAYLOAD_KEY, TEMPORAL_PAYLOAD_CLEAR: clear });
    return run(process.execPath, [MIGRATE], { env, timeoutMs: 60_000 });
  };

  const clear = await migrateWith('k1', 'refuse');
  const encrypted = await migrateWith('k1', 'accept');
  const other = await migrateWith('k2', 'accept');

  t.deepEqual([clear.code, encrypted.code, other.code], [1, 0, 1]);
  t.regex(clear.output, /^migrate: A Schedule cannot be read\. This input is not encrypted, .+\n$/);
  t.regex(
    other.output,
    /^migrate: A Schedule cannot be read\. A payload of the key k1 cannot be decrypted: TEMPORAL_PAYLOAD_KEY has k2\.\n$/,
  );
});
