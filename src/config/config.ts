import { ConfigError, type Environment, readEnvironment } from './environment.js';
import { type TemporalAccess, temporalAccessOf } from './temporal-access.js';

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
  /** Token of API v1 of a user of the account. */
  readonly userToken: string;
}

/** Everything the processes read from the environment, checked and frozen. docs/configure.md has the table. */
export interface Config {
  /** `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
  readonly host: string;
  readonly port: number;
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  /** How its server is reached. */
  readonly temporalAccess: TemporalAccess;
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
  /** Which pages `/docs` has. */
  readonly docs: 'integrators' | 'all' | 'none';
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
  /** Mails to recipients that a license may cause in a day (UTC). */
  readonly mailsPerDay: number;
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

/**
 * Reads and checks the environment.
 * @throws ConfigError naming every variable that is missing or wrong.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const read = readEnvironment(env);
  const queues = read.WORKER_QUEUES.split(',').map((name) => name.trim());
  const named = queues.filter((name) => name !== '');
  return Object.freeze({
    isProduction: env.NODE_ENV === 'production',
    host: read.HOST,
    port: read.PORT,
    baseUrl: (read.BASE_URL ?? `http://${read.HOST}:${read.PORT}`).replace(/\/$/, ''),
    databaseUrl: read.DATABASE_URL,
    databasePoolSize: read.DATABASE_POOL_SIZE,
    temporalAddress: read.TEMPORAL_ADDRESS,
    temporalNamespace: read.TEMPORAL_NAMESPACE,
    temporalAccess: temporalAccessOf(read),
    temporalUiUrl: read.TEMPORAL_UI_URL?.replace(/\/$/, '') ?? null,
    temporalPayloadKey: read.TEMPORAL_PAYLOAD_KEY ?? null,
    appKey: read.APP_KEY,
    logLevel: read.LOG_LEVEL,
    workerQueues: named.length === 0 ? null : named,
    workerHealthHost: read.WORKER_HEALTH_HOST,
    workerHealthPort: read.WORKER_HEALTH_PORT,
    ...limitsOf(read),
    docs: read.DOCS,
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
    mailsPerDay: read.MAILS_PER_DAY,
    storage: storageOf(read),
    browserPath: read.PUPPETEER_EXECUTABLE_PATH === '' ? null : read.PUPPETEER_EXECUTABLE_PATH,
    browserPages: Math.max(1, read.BROWSER_PAGES),
    browserSandbox: read.BROWSER_SANDBOX,
    demo: demoOf(env),
  });
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
 * `DEMO_CREDENTIALS` of `npm start`: client id, secret, license key, app secret and a user's token with `:` between. It is no setting: the
 * documentation shows them to everybody.
 */
function demoOf({ DEMO_CREDENTIALS, NODE_ENV }: NodeJS.ProcessEnv): DemoCredentials | null {
  if (DEMO_CREDENTIALS === undefined || DEMO_CREDENTIALS === '') return null;
  if (NODE_ENV === 'production') {
    throw new ConfigError(
      'DEMO_CREDENTIALS is for npm start alone: the documentation shows them to everybody.',
    );
  }
  const [clientId = '', clientSecret = '', licenseKey = '', appSecret = '', userToken = ''] =
    DEMO_CREDENTIALS.split(':');
  return { clientId, clientSecret, licenseKey, appSecret, userToken };
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
