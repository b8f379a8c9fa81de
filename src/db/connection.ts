import { readFileSync } from 'node:fs';
import type { Connection, ResultSetHeader, RowDataPacket, SslOptions } from 'mysql2';
import { readMysqlUrl } from '../domain/mysql-url.js';
import { toDatabaseError } from './errors.js';

const SERVER_FIRST_MS = 1500;

/** A database's address for the driver: its URL as {@link readMysqlUrl} reads it, with the certificates that it names. */
export function databaseAddress(
  url: string,
): Omit<ReturnType<typeof readMysqlUrl>, 'sslMode' | 'sslCaFile'> & { ssl?: SslOptions } {
  const { sslMode, sslCaFile, ...address } = readMysqlUrl(url);
  if (sslMode === 'DISABLED') return address;
  return {
    ...address,
    ssl: {
      rejectUnauthorized: sslMode !== 'REQUIRED',
      verifyIdentity: sslMode === 'VERIFY_IDENTITY',
      minVersion: 'TLSv1.2',
      ...(sslCaFile === null ? {} : { ca: readFileSync(sslCaFile, 'utf8') }),
    },
  };
}

/** A value that a placeholder may be bound to. */
export type SqlValue = string | number | boolean | Buffer | null;

/** One row, by column name; read it with the readers of `row.ts`. */
export type Row = Record<string, unknown>;

/** The result of a writing statement. `affectedRows` counts changed rows: an update to equal values is 0. */
export interface RunResult {
  affectedRows: number;
  insertId: number;
}

/** Sends statements, each one round trip. Parameters are bound to the `?` placeholders. */
export interface Executor {
  /**
   * Rows of a SELECT. DATETIME(6) is 'YYYY-MM-DD hh:mm:ss.ffffff' text in UTC, DECIMAL and JSON are text, BOOLEAN is
   * 0 or 1, BINARY a Buffer: see the readers in `row.ts`.
   * @throws DatabaseError
   */
  select(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  /**
   * Runs an INSERT, UPDATE or DELETE.
   * @throws DatabaseError
   */
  run(sql: string, params?: readonly SqlValue[]): Promise<RunResult>;
}

const SQL_MODE = [
  'STRICT_ALL_TABLES',
  'ONLY_FULL_GROUP_BY',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
].join(',');

/**
 * Sent once on every new connection. The server ends a statement a little before the client's `timeoutMs` (0: no limit),
 * which alone would leave it running. MySQL's limit covers SELECT only; other long waits are waits for locks. MySQL and
 * MariaDB each execute the version comment meant for them.
 */
export function sessionSetup(timeoutMs: number): readonly string[] {
  const limitMs = Math.ceil(timeoutMs - Math.min(SERVER_FIRST_MS, timeoutMs / 2));
  const limit = `/*!80000 , max_execution_time = ${limitMs} */ /*M!100100 , max_statement_time = ${limitMs / 1000} */`;
  return [
    `SET SESSION time_zone = '+00:00', sql_mode = '${SQL_MODE}', innodb_lock_wait_timeout = 5 ${limit}`,
    // The isolation level's variable is named differently by MySQL and MariaDB.
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  ];
}

/** The same for a connection used for transactions only: any statement begins one. */
export function transactionSessionSetup(timeoutMs: number): readonly string[] {
  return [...sessionSetup(timeoutMs), 'SET SESSION autocommit = 0'];
}

/** Modes that a server may have on, by variable, and the value that a session sets then. Both are MariaDB's, in versions of any number. */
const WHERE_ON: Readonly<Record<string, string>> = {
  // A statement does not wait for rows that do not match, as elsewhere.
  innodb_snapshot_isolation: 'innodb_snapshot_isolation = 0',
  // A node of Galera first applies what was committed at others: for reads 1, for changes 2, for inserts 4. Within a
  // transaction its first statement alone waits.
  wsrep_on: 'wsrep_sync_wait = 7',
};
const READ_ONLY = ['read_only', 'innodb_read_only'] as const;
/** Asks which options make the server read-only: no row where it takes writes. */
export const ASK_READ_ONLY = whereOn(READ_ONLY);
const ASK_WHERE_ON = whereOn([...Object.keys(WHERE_ON), ...READ_ONLY]);

/** The variables of these that are on. MariaDB 12 has a word in place of ON, with which it says to whom it is read-only. */
function whereOn(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`).join(', ');
  return `SHOW VARIABLES WHERE Variable_name IN (${quoted}) AND Value <> 'OFF'`;
}

/**
 * Sends a new connection's setup, and what the server's own settings ask for; each may take `limitMs`. Returns whether the
 * server takes writes.
 * @throws DatabaseError
 */
export async function setUp(
  connection: Connection,
  setup: readonly string[],
  limitMs: number,
): Promise<boolean> {
  for (const sql of setup) await send(connection, sql, [], limitMs);
  const rows = await send<RowDataPacket[]>(connection, ASK_WHERE_ON, [], limitMs);
  const on = rows.map((row) => String(row.Variable_name));
  const sets = on.flatMap((name) => WHERE_ON[name] ?? []);
  if (sets.length > 0) await send(connection, `SET SESSION ${sets.join(', ')}`, [], limitMs);
  return !READ_ONLY.some((name) => on.includes(name));
}

/** Whether Sequelize's pool handed out a mysql2 connection. */
export function isMysqlConnection(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'query' in value && 'destroy' in value;
}

/**
 * Sends one statement over the text protocol, in one round trip. It fails after `timeoutMs` (0: no limit), and its
 * connection must then be discarded. Uses its own timer: the driver's outlives a lost connection and keeps a stopping
 * process alive. @throws DatabaseError
 */
export function send<T extends RowDataPacket[] | ResultSetHeader>(
  connection: Connection,
  sql: string,
  values: readonly SqlValue[] = [],
  timeoutMs = 0,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(toDatabaseError({ code: 'PROTOCOL_SEQUENCE_TIMEOUT' }, sql));
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
    connection.query<T>(sql, [...values], (error, result) => {
      clearTimeout(timer);
      if (error === null) resolve(result);
      else reject(toDatabaseError(error, sql));
    });
  });
}
