import { setTimeout as delay } from 'node:timers/promises';
import { LIMITS } from '../lib/limits/values.js';
import {
  type Executor,
  type Row,
  type RunResult,
  type SqlValue,
  sessionSetup,
  transactionSessionSetup,
} from './connection.js';
import {
  ConnectionPool,
  type DatabaseOptions,
  Openings,
  type PooledConnection,
  type PoolUse,
} from './connection-pool.js';
import { isLockConflict, isRefusedByServer } from './errors.js';

const LOCK_TRIES = 8;
const LOCK_TRIES_MS = 15_000;

export type { Executor, Row, RunResult, SqlValue } from './connection.js';
export { isDuplicateKey, isUnavailable } from './errors.js';

/** Connections to one MySQL database: a pool for statements on their own, and one for transactions. */
export interface Database extends Executor {
  /**
   * Runs `fn` in one READ COMMITTED transaction. After a deadlock or lock time-out, or where the server does not take it,
   * `fn` runs again as a whole (bounded, jittered), so it must have no effect outside the transaction.
   */
  transaction<T>(fn: (tx: Executor) => Promise<T>): Promise<T>;
  /** Runs `fn` on one connection without a transaction, for what belongs to a session, such as GET_LOCK. */
  session<T>(fn: (executor: Executor) => Promise<T>): Promise<T>;
  /**
   * Resolves when MySQL answers and takes writes.
   * @throws ReadOnlyServer when it takes none
   */
  ping(): Promise<void>;
  readonly pools: { readonly statements: PoolUse; readonly transactions: PoolUse };
  /** Waits for statements under way, then closes every connection. */
  close(): Promise<void>;
}

/** Opens the pools; connects on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const timeoutMs = options.statementTimeoutMs ?? LIMITS.database.statementMs;
  const opened = new Openings();
  const pool = new ConnectionPool(options, opened, sessionSetup(timeoutMs));
  const transactions = new ConnectionPool(options, opened, transactionSessionSetup(timeoutMs));
  return {
    select: (sql, params) => again(() => pool.use((connection) => connection.select(sql, params))),
    run: (sql, params) => again(() => pool.use((connection) => connection.run(sql, params))),
    session: (fn) => pool.use((connection) => fn(retrying(connection))),
    transaction: (fn) => again(() => transactions.use((connection) => inTransaction(connection, fn))),
    ping: () => pool.use((connection) => connection.checkWritable()),
    pools: { statements: pool, transactions },
    close: async () => {
      await Promise.all([pool.sequelize.close(), transactions.sequelize.close()]);
    },
  };
}

/**
 * Retries a transaction or a single statement that a deadlock or lock time-out rolled back, or that its server did not
 * begin: the next connection may lead to another one.
 */
async function again<T>(fn: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + LOCK_TRIES_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fn();
    } catch (error) {
      const mayHelp = isLockConflict(error) || isRefusedByServer(error);
      if (!mayHelp || attempt >= LOCK_TRIES || Date.now() >= giveUpAt) throw error;
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
