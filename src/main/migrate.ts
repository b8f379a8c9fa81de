import { allCarriers } from '../carriers/registry.js';
import { loadConfig } from '../config/config.js';
import { openDatabase } from '../db/database.js';
import { createDatabaseIfMissing, migrateDatabase, syncCarriers } from '../db/migrate.js';
import { openTemporal } from '../temporal/client.js';
import { ensureSchedules } from '../temporal/schedules.js';
import { ensureSearchAttributes } from '../temporal/search-attributes.js';
import { createLogger } from './logger.js';
import { runProcess } from './process.js';

await runProcess('migrate', async () => {
  const config = loadConfig();
  const log = createLogger('migrate', config.logLevel);
  await createDatabaseIfMissing(config.databaseUrl);
  const db = openDatabase({ url: config.databaseUrl, poolSize: 2 });
  const temporal = openTemporal(config);
  try {
    log.info({ migrations: await migrateDatabase(db) }, 'database is up to date');
    const carriers = allCarriers();
    await syncCarriers(
      db,
      carriers.map(({ provider, displayName }) => ({ provider, name: displayName })),
    );
    log.info({ added: await ensureSearchAttributes(temporal) }, 'search attributes are registered');
    const providers = carriers.filter(({ status }) => status !== undefined).map(({ provider }) => provider);
    await ensureSchedules(temporal, {
      providers,
      pollIntervalSeconds: config.pollIntervalSeconds,
      pickupProviders: carriers.filter((one) => one.pickupPoints !== undefined).map((one) => one.provider),
    });
    log.info({ providers }, 'schedules are up to date');
  } finally {
    await Promise.all([db.close(), temporal.connection.close()]);
  }
});
