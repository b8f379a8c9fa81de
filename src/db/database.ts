import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2';
import { Sequelize } from 'sequelize';
import { LIMITS } from '../lib/limits/values.js';
import {
  databaseAddress,
  type Executor,
  isMysqlConnection,
  type Row,
  type RunResult,
  type SqlValue,
  send,
  sessionSetup,
  transactionSessionSetup,
} from './connection.js';
import { isConnectionLoss, isLockConflict } from './errors.js';

export type { Executor, Row, RunResult, SqlValue } from './connection.js';
export { isDuplicateKey, isUnavailable } from './errors.js';

/** Connections to one MySQL database: a pool for statements on their own, and one for transactions. */
export interface Database extends Executor {
  /**
   * Runs `fn` in one READ COMMITTED transaction. After a deadlock or lock time-out `fn` runs again as a whole (bounded,
   * jittered), so it must have no effect outside the transaction.
   */
  transaction<T>(fn: (tx: Executor) => Promise<T>): Promise<T>;
  /** Runs `fn` on one connection without a transaction, for what belongs to a session, such as GET_LOCK. */
  session<T>(fn: (executor: Executor) => Promise<T>): Promise<T>;
  /** Resolves when MySQL answers. */
  ping(): Promise<void>;
  readonly pools: { readonly statements: PoolUse; readonly transactions: PoolUse };
  /** Waits for statements under way, then closes every connection. */
  close(): Promise<void>;
}

/** The present use of a pool: connections that are lent, calls that wait for one, and how many there may be. */
interface PoolUse {
  readonly used: number;
  readonly waiting: number;
  readonly limit: number;
}

/** How to open a database. */
interface DatabaseOptions {
  /** `mysql://user:password@host:port/name`, with `ssl-mode` and `ssl-ca` where it is reached by TLS. */
  url: string;
  /** Connections of each of the two pools, at most. */
  poolSize: number;
  /** Called with the text of each statement before it is sent, COMMIT included. */
  onQuery?: (sql: string) => void;
  /** Time limit of a statement, on the client and the server. 0: none, for migrations of large tables. Default 30 s. */
  statementTimeoutMs?: number;
}

/** Opens the pools; connects on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const timeoutMs = options.statementTimeoutMs ?? LIMITS.database.statementMs;
  const pool = new ConnectionPool(options, sessionSetup(timeoutMs));
  const transactions = new ConnectionPool(options, transactionSessionSetup(timeoutMs));
  return {
    select: (sql, params) => again(() => pool.use((connection) => connection.select(sql, params))),
    run: (sql, params) => again(() => pool.use((connection) => connection.run(sql, params))),
    session: (fn) => pool.use((connection) => fn(retrying(connection))),
    transaction: (fn) => again(() => transactions.use((connection) => inTransaction(connection, fn))),
    ping: async () => {
      await pool.use((connection) => connection.select('SELECT 1'));
    },
    pools: { statements: pool, transactions },
    close: async () => {
      await Promise.all([pool.sequelize.close(), transactions.sequelize.close()]);
    },
  };
}

/** Retries a transaction or a single statement that a deadlock or lock time-out rolled back. */
async function again<T>(fn: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + LIMITS.database.lockTriesMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fn();
    } catch (error) {
      if (!isLockConflict(error) || attempt >= LIMITS.database.lockTries || Date.now() >= giveUpAt)
        throw error;
    }
    await delay(Math.random() * Math.min(200, 10 * 2 ** attempt));
  }
}

/** Each statement commits by itself, so each is retried by itself. */
function retrying(connection: Executor): Executor {
  return {
    select: (sql, params) => again(() => connection.select(sql, params)),
    run: (sql, params) => again(() => connection.run(sql, params)),
  };
}

/** The connection's first statement begins the transaction: START TRANSACTION would be one round trip more. */
async function inTransaction<T>(connection: PooledConnection, fn: (tx: Executor) => Promise<T>): Promise<T> {
  const tx = new TransactionExecutor(connection);
  try {
    const result = await fn(tx);
    tx.finish();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    tx.close();
    await connection.rollback();
    throw error;
  }
}

/**
 * Refuses statements after the transaction is over, and after a lock conflict inside it: MySQL has then rolled back, so
 * a later statement would commit by itself even if `fn` swallowed the error.
 */
class TransactionExecutor implements Executor {
  readonly #connection: PooledConnection;
  #conflict: unknown;
  #over = false;

  constructor(connection: PooledConnection) {
    this.#connection = connection;
  }

  select(sql: string, params?: readonly SqlValue[]): Promise<Row[]> {
    return this.#guard(() => this.#connection.select(sql, params));
  }

  run(sql: string, params?: readonly SqlValue[]): Promise<RunResult> {
    return this.#guard(() => this.#connection.run(sql, params));
  }

  /** Ends this executor before COMMIT; throws a lock conflict that `fn` swallowed. */
  finish(): void {
    this.close();
    if (this.#conflict !== undefined) throw this.#conflict;
  }

  close(): void {
    this.#over = true;
  }

  async #guard<T>(send: () => Promise<T>): Promise<T> {
    if (this.#over) throw new Error('The transaction is over; a statement was not awaited inside it.');
    if (this.#conflict !== undefined) throw this.#conflict;
    try {
      return await send();
    } catch (error) {
      if (isLockConflict(error)) this.#conflict = error;
      throw error;
    }
  }
}

/** One connection of the pool while it is lent. */
class PooledConnection implements Executor {
  readonly #connection: Connection;
  readonly #options: DatabaseOptions;
  /** Set once the connection may no longer be lent to anyone. */
  broken = false;

  constructor(connection: Connection, options: DatabaseOptions) {
    this.#connection = connection;
    this.#options = options;
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
      if (isConnectionLoss(error)) this.broken = true;
      throw error;
    }
  }
}

/** Sequelize's pool. Statements use its mysql2 connections directly: no hidden statement, no hydration. */
class ConnectionPool implements PoolUse {
  readonly sequelize: Sequelize;
  readonly #options: DatabaseOptions;
  used = 0;
  waiting = 0;

  /** `setup`: sent on each new connection. */
  constructor(options: DatabaseOptions, setup: readonly string[]) {
    this.#options = options;
    this.sequelize = createSequelize(options, setup);
  }

  get limit(): number {
    return this.#options.poolSize;
  }

  /** Lends a connection to `fn`; a broken one is thrown away afterwards. */
  async use<T>(fn: (connection: PooledConnection) => Promise<T>): Promise<T> {
    const lent = await this.#connection();
    const connection = new PooledConnection(lent, this.#options);
    this.used += 1;
    try {
      return await fn(connection);
    } finally {
      this.used -= 1;
      if (connection.broken) await this.#discard(lent);
      else this.sequelize.connectionManager.releaseConnection(lent);
    }
  }

  async #connection(): Promise<Connection> {
    this.waiting += 1;
    try {
      const lent = await this.sequelize.connectionManager.getConnection({ type: 'write' });
      if (!isMysqlConnection(lent)) throw new TypeError('Expected a mysql2 connection.');
      return lent;
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

function createSequelize(options: DatabaseOptions, setup: readonly string[]): Sequelize {
  const { host, port, user, password, database, ssl } = databaseAddress(options.url);
  const sequelize = new Sequelize({
    dialect: 'mysql',
    host,
    port,
    username: user,
    password,
    database,
    logging: false,
    // Sent as the session's time zone when a connection opens.
    timezone: '+00:00',
    pool: { max: options.poolSize, min: 0, acquire: LIMITS.database.acquireMs, idle: 60_000, evict: 10_000 },
    dialectOptions: {
      charset: 'utf8mb4_bin',
      connectTimeout: LIMITS.database.connectMs,
      // Times stay text, since a Date has no microseconds, and so does JSON, which the row readers parse. Sequelize's
      // own reading is switched off.
      typeCast: true,
      dateStrings: true,
      jsonStrings: true,
      ...(ssl === undefined ? {} : { ssl }),
      stringifyObjects: true,
    },
  });
  sequelize.addHook('afterConnect', 'session', (connection: unknown) => setUpSession(connection, setup));
  return sequelize;
}

async function setUpSession(connection: unknown, setup: readonly string[]): Promise<void> {
  if (!isMysqlConnection(connection)) throw new TypeError('Expected a mysql2 connection.');
  for (const sql of setup) await send(connection, sql);
}
