import { StartError } from '../domain/errors.js';
import { readMysqlUrl } from '../domain/mysql-url.js';

const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'PROTOCOL_ENQUEUE_AFTER_QUIT',
  'PROTOCOL_PACKETS_OUT_OF_ORDER',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ESOCKET',
  'ETIMEDOUT',
]);

/** The server takes no writes: by an option, by InnoDB's state (two kinds), or for its transactions. */
const READ_ONLY_NUMBERS: ReadonlySet<unknown> = new Set([1290, 1836, 1874, 1792]);

/** The server takes no statements: a node outside its group (Galera), or offline for users or not ready (MySQL). */
const NOT_NOW_NUMBERS: ReadonlySet<unknown> = new Set([1047, 3032, 3168]);

/**
 * The connection or its server ends: shutting down; killed (MariaDB, MySQL); idle for too long; aborted (two kinds); its
 * network fails (four kinds). A node that has lost its group gives up a commit (Galera; MySQL, by its hook or by a
 * rollback). A proxy has lost the server, or finds none (ProxySQL, MaxScale).
 */
const ENDING_NUMBERS: ReadonlySet<unknown> = new Set([
  1053, 1927, 3169, 4031, 1152, 1184, 1158, 1159, 1160, 1161, 1180, 3100, 3101, 2003, 2006, 2013, 9001,
]);

/**
 * Too many connections (two kinds) or transactions, the user's share is used up, the statement or its sort was killed or
 * ended by the server after its time (MariaDB, MySQL). Disk full (four kinds) and out of memory (five kinds).
 */
const OVERLOAD_NUMBERS: ReadonlySet<unknown> = new Set([
  1040, 1203, 1637, 1226, 1317, 1028, 1969, 3024, 1021, 1026, 1030, 1114, 1037, 1038, 1041, 1135, 1206,
]);

const SEQUELIZE_CONNECTION_ERRORS: ReadonlySet<string> = new Set([
  'SequelizeAccessDeniedError',
  'SequelizeInvalidConnectionError',
  'SequelizeConnectionError',
  'SequelizeConnectionRefusedError',
  'SequelizeConnectionTimedOutError',
  'SequelizeConnectionAcquireTimeoutError',
  'SequelizeHostNotFoundError',
  'SequelizeHostNotReachableError',
]);

/** No such database, or the user may not use it. */
const DATABASE_NUMBERS: ReadonlySet<unknown> = new Set([1044, 1049]);
/** User or password is wrong (two kinds), the host is not allowed, the account is locked or its password expired. */
const USER_NUMBERS: ReadonlySet<unknown> = new Set([1045, 1698, 1130, 3118, 4151, 1820, 1862]);
/** The driver's code when only one side uses TLS, or a certificate does not match. */
const TLS_CODE = /^HANDSHAKE_/;

/**
 * Deadlock, which is also what Galera says to the later one of two nodes; lock time-out; with MariaDB's isolated
 * snapshots a row that changed after the snapshot was taken; the later one of two members of a MySQL group.
 */
const LOCK_CONFLICTS: ReadonlySet<unknown> = new Set([1213, 1205, 1020, 3101]);
const DUPLICATE_KEY = 1062;

/**
 * A statement that MySQL refused or did not answer. The message holds the statement with its placeholders, never a
 * value: values may be personal data or secrets.
 */
export class DatabaseError extends Error {
  /** MySQL's error number; undefined when the connection failed. */
  readonly errno: number | undefined;
  /** Symbolic name, such as `ER_DUP_ENTRY` or `ECONNRESET`. */
  readonly code: string;
  /** The violated key of a duplicate, without its table, else undefined. */
  readonly key: string | undefined;
  /** The driver's word for a connection that it has given up, whatever the code. */
  readonly fatal: boolean;

  constructor(args: {
    errno: number | undefined;
    code: string;
    key: string | undefined;
    fatal: boolean;
    sql: string;
  }) {
    const where = args.key === undefined ? '' : ` on key ${args.key}`;
    super(`${args.code}${where} in: ${args.sql.replace(/\s+/g, ' ').trim().slice(0, 200)}`);
    this.name = 'DatabaseError';
    this.errno = args.errno;
    this.code = args.code;
    this.key = args.key;
    this.fatal = args.fatal;
  }
}

/** A server that answers, and takes no writes. */
export class ReadOnlyServer extends Error {
  constructor() {
    super('the server is read-only');
    this.name = 'ReadOnlyServer';
  }
}

/** The driver's error without the values it carries. */
export function toDatabaseError(error: unknown, sql: string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const text = error instanceof Error ? error.message : '';
  const number = property(error, 'errno');
  const code = property(error, 'code');
  const fatal = property(error, 'fatal') === true;
  // The driver sets no code when the connection was known to be lost before the statement was sent.
  const uncoded = fatal ? 'PROTOCOL_CONNECTION_LOST' : 'UNKNOWN';
  const key = /for key '([^']+)'/.exec(text)?.[1]?.split('.').at(-1);
  return new DatabaseError({
    // Node's socket errors carry negative system numbers.
    errno: typeof number === 'number' && number > 0 ? number : undefined,
    code: typeof code === 'string' ? code : uncoded,
    key: number === DUPLICATE_KEY ? key : undefined,
    fatal,
    sql,
  });
}

/** Whether the statement violated a unique key (errno 1062). */
export function isDuplicateKey(error: unknown): boolean {
  return property(error, 'errno') === DUPLICATE_KEY;
}

/** Whether the error may pass: MySQL unreachable, refusing logins or lost, or no connection or lock in time. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Error && SEQUELIZE_CONNECTION_ERRORS.has(error.name)) return true;
  const number = property(error, 'errno');
  return (
    isConnectionOver(error) ||
    isLockConflict(error) ||
    OVERLOAD_NUMBERS.has(number) ||
    // For example while a password is being changed.
    USER_NUMBERS.has(number)
  );
}

/** The part of an address that MySQL refused, and its words, which name user and database; null for any other error. */
export function refusalOf(error: unknown): { what: 'user' | 'database' | 'tls'; words: string } | null {
  // Sequelize wraps the driver's.
  const original = property(error, 'original') ?? error;
  const number = property(original, 'errno');
  const code = property(original, 'code');
  const what = DATABASE_NUMBERS.has(number)
    ? 'database'
    : USER_NUMBERS.has(number)
      ? 'user'
      : typeof code === 'string' && TLS_CODE.test(code)
        ? 'tls'
        : null;
  if (what === null || !(original instanceof Error)) return null;
  return { what, words: original.message };
}

/**
 * Whether the connection must not be reused: it is lost or in an unknown state, or leads to a server that does not
 * serve. After a switch, only a new one reaches the server that does.
 */
export function isConnectionOver(error: unknown): boolean {
  const code = property(error, 'code');
  return (
    property(error, 'fatal') === true ||
    (typeof code === 'string' && CONNECTION_CODES.has(code)) ||
    isRefusedByServer(error) ||
    ENDING_NUMBERS.has(property(error, 'errno'))
  );
}

/** Whether the server takes no writes. Other connections that were opened before may lead to it as well. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof ReadOnlyServer || READ_ONLY_NUMBERS.has(property(error, 'errno'));
}

/** Whether the server refused to begin: nothing is done, and another server may take it. */
export function isRefusedByServer(error: unknown): boolean {
  return isReadOnly(error) || NOT_NOW_NUMBERS.has(property(error, 'errno'));
}

/** Whether retrying the whole transaction may succeed: a deadlock, a lock time-out, or a changed row. */
export function isLockConflict(error: unknown): boolean {
  return LOCK_CONFLICTS.has(property(error, 'errno'));
}

/**
 * Checks that MySQL accepts the process.
 * @returns null when it does, else a sentence saying that it does not answer or write, which may be temporary
 * @throws StartError when it refuses the URL's credentials or database, which a person must fix
 */
export async function askForEntry(db: { ping(): Promise<void> }, url: string): Promise<string | null> {
  try {
    await db.ping();
    return null;
  } catch (error) {
    const message = entryTrouble(error, url);
    if (refusalOf(error) === null) return message;
    throw new StartError(message);
  }
}

/** A connection error as one line for the console; any other error unchanged. */
export function asStartError(error: unknown, url: string): unknown {
  if (refusalOf(error) === null && !isUnavailable(error)) return error;
  return new StartError(entryTrouble(error, url));
}

function entryTrouble(error: unknown, url: string): string {
  const { host, port } = readMysqlUrl(url);
  const refusal = refusalOf(error);
  const words = refusal?.words ?? (error instanceof Error ? error.message : String(error));
  const does =
    refusal !== null
      ? 'refuses DATABASE_URL'
      : error instanceof ReadOnlyServer
        ? 'takes no writes'
        : 'does not answer';
  return `MySQL at ${host}:${port} ${does}: ${words.replace(/\s+/g, ' ').trim()}`;
}

function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
