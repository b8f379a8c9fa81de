import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { createDatabaseIfMissing } from '../../src/db/migrate.js';
import { databaseOn } from '../../tools/engines/test-schema.js';
import { cacheFolder } from '../../tools/launcher/paths.js';
import { aptUnpack, canUseApt, run, which } from '../../tools/launcher/run.js';

/** The program with which an operator dumps MySQL; null where it cannot be had. */
export async function findDumper(): Promise<string | null> {
  const installed = which('mariadb-dump', 'mysqldump');
  if (installed !== null) return installed;
  const folder = join(cacheFolder, 'mariadb-client');
  const kept = join(folder, 'usr', 'bin', 'mariadb-dump');
  if (existsSync(kept)) return kept;
  return canUseApt() && (await aptUnpack('mariadb-client', folder)) ? kept : null;
}

/** Dumps a database into a file, as an operator does beside running processes. */
export async function dumpTo(file: string, program: string, url: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const { code, output } = await run(program, [
    '--no-defaults',
    '--single-transaction',
    '--hex-blob',
    '--protocol=tcp',
    `--host=${hostname}`,
    `--port=${port || '3306'}`,
    `--user=${decodeURIComponent(username)}`,
    `--password=${decodeURIComponent(password)}`,
    `--result-file=${file}`,
    pathname.slice(1),
  ]);
  if (code !== 0) throw new Error(`${program}: ${output.slice(-1000)}`);
}

/** Brings a database back to a dump: whatever came since is gone. */
export async function restoreFrom(file: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const server = await createConnection(databaseOn(url, ''));
  await server.query(`DROP DATABASE ${name}`);
  await server.end();
  await createDatabaseIfMissing(url);
  const connection = await createConnection({ uri: url, multipleStatements: true });
  try {
    await connection.query(readFileSync(file, 'utf8'));
  } finally {
    await connection.end();
  }
}
