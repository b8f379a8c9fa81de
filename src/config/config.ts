import { bool, cleanEnv, num, port, str, url } from 'envalid';
import { DENIED_RANGES } from '../domain/denied-ranges.js';
import { atLeast, cidrs, days, graceMs, key32 } from './validators.js';

/** The document store. */
export type StorageConfig =
  | { readonly kind: 'directory'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly region: string;
      /** Null means Amazon's own of the region. */
      readonly endpoint: string | null;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

type RetentionKind =
  | 'DELIVERY'
  | 'RESPONSE'
  | 'INBOUND'
  | 'BATCH'
  | 'NOTIFICATION'
  | 'ATTEMPT'
  | 'REFUSAL'
  | 'LABEL';

/** Days, each at least 1. */
export interface RetentionConfig {
  /** Webhook deliveries and their attempts. */
  readonly deliveryDays: number;
  /** Logged answers of API v1. */
  readonly responseDays: number;
  /** Carriers' webhooks. */
  readonly inboundDays: number;
  /** Batches that have ended, with their items' bodies. */
  readonly batchDays: number;
  /** Mails to recipients. */
  readonly notificationDays: number;
  /** Calls to carriers. */
  readonly attemptDays: number;
  /** Shipments that no carrier took, with orders that have no other. */
  readonly refusalDays: number;
  /** Addresses of labels, and label files in a directory. */
  readonly labelDays: number;
}

/** What the references enter for whoever tries a route, in a demo. */
export interface DemoCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Key of a license of the account. */
  readonly licenseKey: string;
  /** Of the recipient app. */
  readonly appSecret: string;
}

/** Everything the processes read from the environment, checked and frozen. docs/configure.md has the table. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** Address of its UI, without a trailing slash, for links; null when nobody has said it. */
  readonly temporalUiUrl: string | null;
  /** 32 bytes; workflow payloads are encrypted when it is set. */
  readonly temporalPayloadKey: Buffer | null;
  /** 32 bytes; keys the hashes of client secrets and encrypts carrier credentials. */
  readonly appKey: Buffer;
  readonly logLevel: string;
  /** Task queues that a worker process serves; null means all. */
  readonly workerQueues: readonly string[] | null;
  /** Address on which a worker says whether it works. */
  readonly workerHealthHost: string;
  /** The port there; 0 means none. */
  readonly workerHealthPort: number;
  readonly rateLimitPerMinute: number;
  /** Bytes of request bodies of one client. */
  readonly bodyBytesPerMinute: number;
  readonly authFailuresPerMinute: number;
  /** Requests of one address to what needs no credentials and is no page: the API's documents, ping, unknown routes. */
  readonly openRateLimitPerMinute: number;
  /** Requests of one address, or of one token's user, to API v1. */
  readonly v1RateLimitPerMinute: number;
  /** Requests of one address to the public pages. */
  readonly pageRateLimitPerMinute: number;
  /** Language of the messages of API v1. */
  readonly locale: 'en' | 'he';
  /** How long `POST /shipments` waits for the carrier before it answers 202. */
  readonly createWaitMs: number;
  readonly idempotencyKeyDays: number;
  readonly fingerprintHours: number;
  readonly pollIntervalSeconds: number;
  /** Creations of batches under way at once in a worker process for each license, at most. */
  readonly batchWindow: number;
  /** Ranges (CIDR) that webhooks may reach although they are not public. */
  readonly webhookAllowCidrs: readonly string[];
  /** Ranges (CIDR) that webhooks may not reach although they are public. */
  readonly webhookDenyCidrs: readonly string[];
  /** Wait before a failed webhook delivery is sent again. */
  readonly webhookRetrySeconds: number;
  /** Number of reverse proxies in front, for the caller's address. */
  readonly trustProxy: number;
  /** Bytes of request bodies that an API process holds at the same time. */
  readonly bodyBudgetBytes: number;
  /** Connections of an API process at the same time. */
  readonly maxConnections: number;
  /** Requests of an API process that are open at the same time, those that wait for a carrier included. */
  readonly maxOpenRequests: number;
  /** Of them, those that wait for nothing but the process itself and its database. */
  readonly maxWorkingRequests: number;
  /** Delay of the event loop above which requests are turned away; 0 means never. */
  readonly maxLoopDelayMs: number;
  /** How long a process finishes its work after SIGTERM. */
  readonly shutdownGraceMs: number;
  /** For how many days each kind of record is kept once nothing needs it. */
  readonly retention: RetentionConfig;
  /** Mail server: `smtp://user:password@host:port`, or `smtps://…`. */
  readonly smtpUrl: string;
  /** Sender of every mail: `Name <address>`. */
  readonly mailFrom: string;
  /** Longest time in which the mail server takes a mail to a recipient. */
  readonly mailTimeoutMs: number;
  /** Where labels and documents are kept: a directory that all processes share, or an S3 bucket. */
  readonly storage: StorageConfig;
  /** The browser that prints labels; null lets it be looked for. */
  readonly browserPath: string | null;
  /** Pages that a worker's browser prints at the same time. */
  readonly browserPages: number;
  /** Whether the browser locks its own processes in; the superuser's cannot. */
  readonly browserSandbox: boolean;
  /** Null but under `npm start`: the documentation hands them to everybody. */
  readonly demo: DemoCredentials | null;
}

/** Nobody can follow a link to these. */
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Of a batch. One caller gets half of the budget, which is to hold one. */
const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

const SPEC = {
  HOST: str({ default: '127.0.0.1' }),
  PORT: port({ default: 3000 }),
  BASE_URL: url({ default: undefined }),
  DATABASE_URL: url({ example: 'mysql://user:password@127.0.0.1:3306/parcelworks' }),
  DATABASE_POOL_SIZE: num({ default: 20 }),
  TEMPORAL_ADDRESS: str({ default: '127.0.0.1:7233' }),
  TEMPORAL_NAMESPACE: str({ default: 'default' }),
  TEMPORAL_UI_URL: url({ default: undefined }),
  TEMPORAL_PAYLOAD_KEY: key32({ default: undefined }),
  APP_KEY: key32({ desc: 'openssl rand -base64 32' }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  }),
  WORKER_QUEUES: str({ default: '' }),
  WORKER_HEALTH_HOST: str({ default: '127.0.0.1' }),
  WORKER_HEALTH_PORT: num({ default: 0 }),
  RATE_LIMIT_PER_MINUTE: num({ default: 600 }),
  BODY_BYTES_PER_MINUTE: num({ default: 64 * 1024 * 1024 }),
  AUTH_FAILURES_PER_MINUTE: num({ default: 60 }),
  OPEN_RATE_LIMIT_PER_MINUTE: num({ default: 1200 }),
  PAGE_RATE_LIMIT_PER_MINUTE: num({ default: 120 }),
  V1_RATE_LIMIT_PER_MINUTE: num({ default: 500 }),
  APP_LOCALE: str<'en' | 'he'>({ default: 'en', choices: ['en', 'he'] }),
  CREATE_WAIT_MS: num({ default: 25_000 }),
  IDEMPOTENCY_KEY_DAYS: num({ default: 30 }),
  FINGERPRINT_HOURS: num({ default: 24 }),
  POLL_INTERVAL_SECONDS: num({ default: 60 }),
  BATCH_WINDOW: num({ default: 32 }),
  WEBHOOK_ALLOW_CIDRS: cidrs({ default: [] }),
  WEBHOOK_DENY_CIDRS: cidrs({ default: DENIED_RANGES }),
  WEBHOOK_RETRY_SECONDS: num({ default: 30 }),
  TRUST_PROXY: num({ default: 0 }),
  SHUTDOWN_GRACE_MS: graceMs({ default: 10_000 }),
  RETENTION_DELIVERY_DAYS: days({ default: 30 }),
  RETENTION_RESPONSE_DAYS: days({ default: 30 }),
  RETENTION_INBOUND_DAYS: days({ default: 30 }),
  RETENTION_BATCH_DAYS: days({ default: 90 }),
  RETENTION_NOTIFICATION_DAYS: days({ default: 90 }),
  RETENTION_ATTEMPT_DAYS: days({ default: 400 }),
  RETENTION_REFUSAL_DAYS: days({ default: 90 }),
  RETENTION_LABEL_DAYS: days({ default: 180 }),
  BODY_BUDGET_BYTES: atLeast(2 * LARGEST_BODY_BYTES)({ default: 64 * 1024 * 1024 }),
  MAX_CONNECTIONS: num({ default: 4096 }),
  MAX_OPEN_REQUESTS: num({ default: 512 }),
  MAX_WORKING_REQUESTS: num({ default: 256 }),
  MAX_LOOP_DELAY_MS: num({ default: 250 }),
  SMTP_URL: url({ default: 'smtp://127.0.0.1:1025' }),
  MAIL_FROM: str({ default: 'Parcelworks <no-reply@localhost>' }),
  MAIL_TIMEOUT_MS: num({ default: 30_000 }),
  STORAGE_DIR: str({ default: 'storage' }),
  STORAGE_S3_BUCKET: str({ default: '' }),
  STORAGE_S3_REGION: str({ default: 'us-east-1' }),
  STORAGE_S3_ENDPOINT: url({ default: undefined }),
  STORAGE_S3_ACCESS_KEY_ID: str({ default: '' }),
  STORAGE_S3_SECRET_ACCESS_KEY: str({ default: '' }),
  PUPPETEER_EXECUTABLE_PATH: str({ default: '' }),
  BROWSER_PAGES: num({ default: 2 }),
  BROWSER_SANDBOX: bool({ default: process.getuid?.() !== 0 }),
};

/** The environment does not fit: the message names each variable and what it must be. */
export class ConfigError extends Error {}

/** Names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(SPEC);

/**
 * Reads and checks the environment.
 * @throws ConfigError naming every variable that is missing or wrong.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const read = readEnvironment(env);
  const queues = read.WORKER_QUEUES.split(',').map((name) => name.trim());
  const named = queues.filter((name) => name !== '');
  return Object.freeze({
    host: read.HOST,
    port: read.PORT,
    baseUrl: (read.BASE_URL ?? `http://${read.HOST}:${read.PORT}`).replace(/\/$/, ''),
    databaseUrl: read.DATABASE_URL,
    databasePoolSize: read.DATABASE_POOL_SIZE,
    temporalAddress: read.TEMPORAL_ADDRESS,
    temporalNamespace: read.TEMPORAL_NAMESPACE,
    temporalUiUrl: read.TEMPORAL_UI_URL?.replace(/\/$/, '') ?? null,
    temporalPayloadKey: read.TEMPORAL_PAYLOAD_KEY ?? null,
    appKey: read.APP_KEY,
    logLevel: read.LOG_LEVEL,
    workerQueues: named.length === 0 ? null : named,
    workerHealthHost: read.WORKER_HEALTH_HOST,
    workerHealthPort: read.WORKER_HEALTH_PORT,
    ...limitsOf(read),
    locale: read.APP_LOCALE,
    createWaitMs: read.CREATE_WAIT_MS,
    idempotencyKeyDays: read.IDEMPOTENCY_KEY_DAYS,
    fingerprintHours: read.FINGERPRINT_HOURS,
    pollIntervalSeconds: read.POLL_INTERVAL_SECONDS,
    batchWindow: read.BATCH_WINDOW,
    webhookDenyCidrs: read.WEBHOOK_DENY_CIDRS,
    webhookAllowCidrs: read.WEBHOOK_ALLOW_CIDRS,
    webhookRetrySeconds: read.WEBHOOK_RETRY_SECONDS,
    trustProxy: read.TRUST_PROXY,
    shutdownGraceMs: read.SHUTDOWN_GRACE_MS,
    retention: retentionOf(read),
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    mailTimeoutMs: read.MAIL_TIMEOUT_MS,
    storage: storageOf(read),
    browserPath: read.PUPPETEER_EXECUTABLE_PATH === '' ? null : read.PUPPETEER_EXECUTABLE_PATH,
    browserPages: Math.max(1, read.BROWSER_PAGES),
    browserSandbox: read.BROWSER_SANDBOX,
    demo: demoOf(env),
  });
}

type Environment = ReturnType<typeof readEnvironment>;

function readEnvironment(env: NodeJS.ProcessEnv) {
  const read = cleanEnv(env, SPEC, {
    reporter: ({ errors }) => {
      const lines = Object.entries(errors).map(
        ([name, error]) => `  ${name}: ${withoutValue(error?.message ?? 'missing')}`,
      );
      if (lines.length > 0) throw new ConfigError(`The environment is not complete:\n${lines.join('\n')}`);
    },
  });
  if (read.BASE_URL === undefined && UNSPECIFIED.has(read.HOST)) {
    throw new ConfigError(
      'The environment is not complete:\n  BASE_URL: must be the public address of the API where HOST stands for all addresses',
    );
  }
  return read;
}

/** What bounds requests: of one caller, and of all together. */
function limitsOf(read: Environment) {
  return {
    rateLimitPerMinute: read.RATE_LIMIT_PER_MINUTE,
    bodyBytesPerMinute: read.BODY_BYTES_PER_MINUTE,
    openRateLimitPerMinute: read.OPEN_RATE_LIMIT_PER_MINUTE,
    authFailuresPerMinute: read.AUTH_FAILURES_PER_MINUTE,
    pageRateLimitPerMinute: read.PAGE_RATE_LIMIT_PER_MINUTE,
    v1RateLimitPerMinute: read.V1_RATE_LIMIT_PER_MINUTE,
    bodyBudgetBytes: read.BODY_BUDGET_BYTES,
    maxConnections: read.MAX_CONNECTIONS,
    maxOpenRequests: read.MAX_OPEN_REQUESTS,
    maxWorkingRequests: read.MAX_WORKING_REQUESTS,
    maxLoopDelayMs: read.MAX_LOOP_DELAY_MS,
  };
}

/**
 * `DEMO_CREDENTIALS` of `npm start`: client id, secret, license key and app secret with `:` between. It is no setting: the
 * documentation shows them to everybody.
 */
function demoOf({ DEMO_CREDENTIALS, NODE_ENV }: NodeJS.ProcessEnv): DemoCredentials | null {
  if (DEMO_CREDENTIALS === undefined || DEMO_CREDENTIALS === '') return null;
  if (NODE_ENV === 'production') {
    throw new ConfigError(
      'DEMO_CREDENTIALS is for npm start alone: the documentation shows them to everybody.',
    );
  }
  const [clientId = '', clientSecret = '', licenseKey = '', appSecret = ''] = DEMO_CREDENTIALS.split(':');
  return { clientId, clientSecret, licenseKey, appSecret };
}

function retentionOf(read: Record<`RETENTION_${RetentionKind}_DAYS`, number>): RetentionConfig {
  return {
    deliveryDays: read.RETENTION_DELIVERY_DAYS,
    responseDays: read.RETENTION_RESPONSE_DAYS,
    inboundDays: read.RETENTION_INBOUND_DAYS,
    batchDays: read.RETENTION_BATCH_DAYS,
    notificationDays: read.RETENTION_NOTIFICATION_DAYS,
    attemptDays: read.RETENTION_ATTEMPT_DAYS,
    refusalDays: read.RETENTION_REFUSAL_DAYS,
    labelDays: read.RETENTION_LABEL_DAYS,
  };
}

/** Any value may hold a password, and be put into the wrong variable. */
function withoutValue(text: string): string {
  return text.replace(/: ".*"$/s, '').replace(/^Value ".*" not in choices/s, 'Value not in choices');
}

function storageOf(read: {
  STORAGE_DIR: string;
  STORAGE_S3_BUCKET: string;
  STORAGE_S3_REGION: string;
  STORAGE_S3_ENDPOINT?: string | undefined;
  STORAGE_S3_ACCESS_KEY_ID: string;
  STORAGE_S3_SECRET_ACCESS_KEY: string;
}): StorageConfig {
  if (read.STORAGE_S3_BUCKET === '') return { kind: 'directory', path: read.STORAGE_DIR };
  return {
    kind: 's3',
    bucket: read.STORAGE_S3_BUCKET,
    region: read.STORAGE_S3_REGION,
    endpoint: read.STORAGE_S3_ENDPOINT ?? null,
    accessKeyId: read.STORAGE_S3_ACCESS_KEY_ID,
    secretAccessKey: read.STORAGE_S3_SECRET_ACCESS_KEY,
  };
}
