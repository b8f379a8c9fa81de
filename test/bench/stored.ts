import type { Database } from '../../src/db/database.js';

const MILLION = 1_000_000;
/** A table with fewer rows than one for this many parcels does not grow with them. */
const LEAST_SHARE = 100;

/** Prints rows and bytes of each table that grows with parcels, scaled to a million of them. */
export async function printStored(db: Database): Promise<void> {
  const [created] = await db.select("SELECT COUNT(*) AS parcels FROM shipments WHERE state = 'created'");
  const parcels = Number(created?.parcels);
  console.log(`\n${parcels} parcels; a million have`);
  let total = 0;
  for (const { name } of await db.select(
    "SELECT table_name AS name FROM information_schema.TABLES WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY 1",
  )) {
    await db.select(`ANALYZE TABLE ${name}`);
    const [count] = await db.select(`SELECT COUNT(*) AS found FROM ${name}`);
    const [size] = await db.select(
      'SELECT data_length AS data, index_length AS keys_bytes FROM information_schema.TABLES WHERE table_schema = DATABASE() AND table_name = ?',
      [String(name)],
    );
    const found = Number(count?.found);
    if (found * LEAST_SHARE < parcels) continue;
    const [data, keys] = [scaled(Number(size?.data), parcels), scaled(Number(size?.keys_bytes), parcels)];
    total += data + keys;
    const rows = Math.round((found / parcels) * MILLION).toLocaleString('en-US');
    console.log(
      `  ${String(name).padEnd(24)} ${rows.padStart(10)} rows, ${mib(data)} MiB, keys ${mib(keys)} MiB`,
    );
  }
  console.log(`  together ${mib(total)} MiB`);
}

/** Bytes of these parcels, scaled to a million. */
export function scaled(bytes: number, parcels: number): number {
  return (bytes / parcels) * MILLION;
}

/** Bytes as mebibytes. */
export function mib(bytes: number): string {
  return Math.round(bytes / 2 ** 20).toLocaleString('en-US');
}
