import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../src/db/database.js';
import { migrateDatabase } from '../../src/db/migrate.js';
import { appKeysOf } from '../support/factories.js';
import { seedAccounts } from './seeding.js';

const SHIPMENTS = Number(process.argv[2] ?? 1_000_000);
const ACCOUNTS = Number(process.argv[3] ?? 1);
const APP_KEY = process.env.APP_KEY;

/**
 * Fills the database of `DATABASE_URL` for others to measure on. Arguments: how many shipments (1,000,000) and how many
 * accounts share them (1). With `APP_KEY` set to that of an API, the credentials that are printed are good for it.
 */
const url = String(process.env.DATABASE_URL);
const db = openDatabase({ url, poolSize: 2, statementTimeoutMs: 0 });
try {
  await migrateDatabase(db);
  const at = performance.now();
  const appKeys = appKeysOf(APP_KEY === undefined ? randomBytes(32) : Buffer.from(APP_KEY, 'base64'));
  const [first] = await seedAccounts(db, { shipments: SHIPMENTS, accounts: ACCOUNTS, appKeys });
  const seconds = (performance.now() - at) / 1000;
  const count = SHIPMENTS.toLocaleString('en-US');
  console.log(`${count} shipments of ${ACCOUNTS} account(s) in ${seconds.toFixed(0)} s`);
  console.log(`first account: X-Client-Id ${first?.clientId}, X-Client-Secret ${first?.clientSecret}`);
  const sizes = await db.select(
    `SELECT table_name AS name, ROUND(data_length / 1048576) AS data, ROUND(index_length / 1048576) AS keys_mib
     FROM information_schema.TABLES WHERE table_schema = DATABASE() AND table_name IN ('orders', 'shipments')`,
  );
  for (const size of sizes) console.log(`  ${size.name}: ${size.data} MiB, keys ${size.keys_mib} MiB`);
} finally {
  await db.close();
}
