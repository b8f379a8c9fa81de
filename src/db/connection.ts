import type { Connection, QueryOptions, ResultSetHeader, RowDataPacket } from 'mysql2';
import { toDatabaseError } from './errors.js';

/** What a placeholder may be bound to. */
export type SqlValue = string | number | boolean | Buffer | null;

/** One row, by column name; read it with the readers of `row.ts`. */
export type Row = Record<string, unknown>;

/** What a writing statement did. `affectedRows` counts changed rows: an update to equal values is 0. */
export interface RunResult {
  affectedRows: number;
  insertId: number;
}

const SQL_MODE = [
  'STRICT_ALL_TABLES',
  'ONLY_FULL_GROUP_BY',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
].join(',');

/** Sent once on every new connection, after Sequelize has set its time zone. The isolation level's variable is named differently by MySQL and MariaDB. */
export const SESSION_SETUP: readonly string[] = [
  `SET SESSION sql_mode = '${SQL_MODE}', innodb_lock_wait_timeout = 5`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** The same for a connection that is lent to transactions only: any statement begins one. */
export const TRANSACTION_SESSION_SETUP: readonly string[] = [...SESSION_SETUP, 'SET SESSION autocommit = 0'];

/**
 * How the driver reads values: times stay text, since a Date has no microseconds, and so does JSON, which the row
 * readers parse. Sequelize's own reading is switched off.
 */
export const READING = { typeCast: true, dateStrings: true, jsonStrings: true };

/** Whether Sequelize's pool handed out a mysql2 connection. */
export function isMysqlConnection(value: unknown): value is Connection {
  return typeof value === 'object' && value !== null && 'query' in value && 'destroy' in value;
}

/** Sends one statement over the text protocol (one round trip) and gives its rows. */
export function selectOn(connection: Connection, options: QueryOptions): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>(options, (error, rows) => {
      if (error === null) resolve(rows);
      else reject(toDatabaseError(error, options.sql));
    });
  });
}

/** Sends one writing statement and tells what it did. */
export function runOn(connection: Connection, options: QueryOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    connection.query<ResultSetHeader>(options, (error, result) => {
      if (error === null) resolve({ affectedRows: result.affectedRows, insertId: Number(result.insertId) });
      else reject(toDatabaseError(error, options.sql));
    });
  });
}
