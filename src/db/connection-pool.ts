import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2';
import { Sequelize } from 'sequelize';
import { LIMITS } from '../lib/limits/values.js';
import {
  ASK_READ_ONLY,
  databaseAddress,
  type Executor,
  isMysqlConnection,
  type Row,
  type RunResult,
  type SqlValue,
  send,
  setUp,
} from './connection.js';
import { isConnectionOver, isReadOnly, ReadOnlyServer } from './errors.js';

const CONNECT_MS = 5000;
/**
 * Else Sequelize asks each pool's first connection for its version: a statement without a time limit, whose error hides
 * that the connection is lost. And it sends the time zone, also without a limit. The version counts for no statement.
 */
const ASKED_FOR_NOTHING = { databaseVersion: '8.0.0', keepDefaultTimezone: true };

/** The present use of a pool: connections that are lent, calls that wait for one, and how many there may be. */
export interface PoolUse {
  readonly used: number;
  readonly waiting: number;
  readonly limit: number;
}

/** How to open a database. */
export interface DatabaseOptions {
  /** `mysql://user:password@host:port/name`, with `ssl-mode` and `ssl-ca` where it is reached by TLS. */
  url: string;
  /** Connections of each of the two pools, at most. */
  poolSize: number;
  /** Called with the text of each statement before it is sent, COMMIT included. */
  onQuery?: (sql: string) => void;
  /** Time limit of a statement, on the client and the server. 0: none, for migrations of large tables. Default 30 s. */
  statementTimeoutMs?: number;
}

/**
 * Connections opened before a server said that it is read-only may lead to the same server, which still answers reads with
 * what it knew last: all of it is given up. One opened to a server that is read-only by then serves one use: no write
 * may come on it that would tell, and the next one may lead to another server.
 */
export class Openings {
  readonly #opened = new WeakMap<Connection, number>();
  readonly #ofOneUse = new WeakSet<Connection>();
  #present = 0;

  note(connection: Connection): void {
    this.#opened.set(connection, this.#present);
  }

  useOnce(connection: Connection): void {
    this.#ofOneUse.add(connection);
  }

  isSpent(connection: Connection): boolean {
    return this.#ofOneUse.has(connection) || this.isPast(connection);
  }

  isPast(connection: Connection): boolean {
    return this.#opened.get(connection) !== this.#present;
  }

  /** Many connections learn of one switch: what was opened after it stays. */
  end(connection: Connection): void {
    if (!this.isPast(connection)) this.#present += 1;
  }
}

/** One connection of the pool while it is lent. */
export class PooledConnection implements Executor {
  readonly #connection: Connection;
  readonly #options: DatabaseOptions;
  readonly #opened: Openings;
  /** Set once the connection may no longer be lent to anyone. */
  broken = false;

  constructor(connection: Connection, options: DatabaseOptions, opened: Openings) {
    this.#connection = connection;
    this.#options = options;
    this.#opened = opened;
  }

  /** @throws ReadOnlyServer, and gives the connection up: another server may have taken over. */
  async checkWritable(): Promise<void> {
    const readOnly = await this.select(ASK_READ_ONLY);
    if (readOnly.length === 0) return;
    throw this.#noted(new ReadOnlyServer());
  }

  select(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.#send<RowDataPacket[]>(sql, params);
  }

  async run(sql: string, params?: readonly SqlValue[]): Promise<RunResult> {
    const { affectedRows, insertId } = await this.#send<ResultSetHeader>(sql, params);
    return { affectedRows, insertId: Number(insertId) };
  }

  /** Rolls back. A connection that fails to is marked broken; the server rolls back when it closes. */
  async rollback(): Promise<void> {
    if (this.broken) return;
    try {
      await this.run('ROLLBACK');
    } catch {
      this.broken = true;
    }
  }

  async #send<T extends RowDataPacket[] | ResultSetHeader>(
    sql: string,
    params?: readonly SqlValue[],
  ): Promise<T> {
    const { onQuery, statementTimeoutMs = LIMITS.database.statementMs } = this.#options;
    onQuery?.(sql);
    try {
      return await send<T>(this.#connection, sql, params, statementTimeoutMs);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  #noted(error: unknown): unknown {
    if (isConnectionOver(error)) this.broken = true;
    if (isReadOnly(error)) this.#opened.end(this.#connection);
    return error;
  }
}

/** Sequelize's pool. Statements use its mysql2 connections directly: no hidden statement, no hydration. */
export class ConnectionPool implements PoolUse {
  readonly sequelize: Sequelize;
  readonly #options: DatabaseOptions;
  readonly #opened: Openings;
  used = 0;
  waiting = 0;

  /** `setup`: sent on each new connection. */
  constructor(options: DatabaseOptions, opened: Openings, setup: readonly string[]) {
    this.#options = options;
    this.#opened = opened;
    this.sequelize = createSequelize(options);
    this.sequelize.addHook('afterConnect', 'session', (connection: unknown) =>
      setUpSession(connection, opened, setup),
    );
  }

  get limit(): number {
    return this.#options.poolSize;
  }

  /** Lends a connection to `fn`; a broken one is thrown away afterwards. */
  async use<T>(fn: (connection: PooledConnection) => Promise<T>): Promise<T> {
    const lent = await this.#connection();
    const connection = new PooledConnection(lent, this.#options, this.#opened);
    this.used += 1;
    try {
      return await fn(connection);
    } finally {
      this.used -= 1;
      if (connection.broken || this.#opened.isSpent(lent)) await this.#discard(lent);
      else this.sequelize.connectionManager.releaseConnection(lent);
    }
  }

  async #connection(): Promise<Connection> {
    this.waiting += 1;
    try {
      for (;;) {
        const lent = await this.sequelize.connectionManager.getConnection({ type: 'write' });
        if (!isMysqlConnection(lent)) throw new TypeError('Expected a mysql2 connection.');
        if (!this.#opened.isPast(lent)) return lent;
        await this.#discard(lent);
      }
    } finally {
      this.waiting -= 1;
    }
  }

  async #discard(connection: Connection): Promise<void> {
    connection.destroy();
    try {
      await this.sequelize.connectionManager.destroyConnection(connection);
    } catch {
      // The pool's own error listener may have dropped it already.
    }
  }
}

function createSequelize(options: DatabaseOptions): Sequelize {
  const { host, port, user, password, database, ssl } = databaseAddress(options.url);
  return new Sequelize({
    dialect: 'mysql',
    host,
    port,
    username: user,
    password,
    database,
    logging: false,
    ...ASKED_FOR_NOTHING,
    pool: { max: options.poolSize, min: 0, acquire: LIMITS.database.acquireMs, idle: 60_000, evict: 10_000 },
    dialectOptions: {
      charset: 'utf8mb4_bin',
      connectTimeout: CONNECT_MS,
      // Times stay text, since a Date has no microseconds, and so does JSON, which the row readers parse. Sequelize's
      // own reading is switched off.
      typeCast: true,
      dateStrings: true,
      jsonStrings: true,
      ...(ssl === undefined ? {} : { ssl }),
      stringifyObjects: true,
      // None is prepared, and mysql2 makes room for 16,000 on each connection: half a megabyte.
      maxPreparedStatements: 1,
    },
  });
}

/** A connection that cannot be set up is in no pool, so that nobody else would close it. */
async function setUpSession(connection: unknown, opened: Openings, setup: readonly string[]): Promise<void> {
  if (!isMysqlConnection(connection)) throw new TypeError('Expected a mysql2 connection.');
  opened.note(connection);
  try {
    if (!(await setUp(connection, setup, CONNECT_MS))) opened.useOnce(connection);
  } catch (error) {
    connection.destroy();
    throw error;
  }
}
