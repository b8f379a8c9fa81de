import { ConfigError, type Environment, readEnvironment } from './environment.js';
import { type PanelProvider, panelProviderOf } from './panel-provider.js';
import { encryptionOf, type PayloadEncryption } from './payload-encryption.js';
import { type TemporalAccess, temporalAccessOf } from './temporal-access.js';

/** The document store. */
type StorageConfig =
  | { readonly kind: 'directory'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly region: string;
      /** Null means Amazon's endpoint of the region. */
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
interface RetentionConfig {
  /** Webhook deliveries and attempts. */
  readonly deliveryDays: number;
  /** Logged responses of API v1. */
  readonly responseDays: number;
  /** Carriers' webhooks. */
  readonly inboundDays: number;
  /** Completed batches with their items. */
  readonly batchDays: number;
  /** Mails to recipients. */
  readonly notificationDays: number;
  /** Calls to carriers. */
  readonly attemptDays: number;
  /** Refused shipments, and orders without other shipments. */
  readonly refusalDays: number;
  /** Label URLs, and label files in a directory. */
  readonly labelDays: number;
}

/** Credentials that the API references fill in for a demo. */
interface DemoCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A license's key. */
  readonly licenseKey: string;
  /** Secret of the recipient app. */
  readonly appSecret: string;
  /** A user's token for API v1. */
  readonly userToken: string;
}

/** The checked, frozen settings of all processes; docs/configure.md describes them. */
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
  /** TLS and credentials for its server. */
  readonly temporalAccess: TemporalAccess;
  /** URL of its UI for links, without a trailing slash; null when not set. */
  readonly temporalUiUrl: string | null;
  /** Null stores workflow payloads in clear. */
  readonly payloadEncryption: PayloadEncryption | null;
  /** Opens the codec endpoint of the API; null disables it. */
  readonly codecToken: string | null;
  /** 32 bytes; keys the hashes of client secrets and encrypts carrier credentials. */
  readonly appKey: Buffer;
  readonly logLevel: string;
  /** Task queues of a worker process; null means all. */
  readonly workerQueues: readonly string[] | null;
  /** Address of a worker's health endpoint. */
  readonly workerHealthHost: string;
  /** Its port; 0 disables it. */
  readonly workerHealthPort: number;
  /** Address of the metrics of both kinds of processes. */
  readonly metricsHost: string;
  /** Port of the API's metrics; 0 disables them. */
  readonly apiMetricsPort: number;
  /** Port of a worker's metrics; 0 disables them. */
  readonly workerMetricsPort: number;
  /** Gets a JSON message when shipments begin to wait for a person; null when not set. */
  readonly alertUrl: string | null;
  /** Address of an OpenTelemetry collector (OTLP over HTTP), without a trailing slash; null disables traces. */
  readonly otlpEndpoint: string | null;
  /** Gets a mail then; null when not set. */
  readonly alertMail: string | null;
  readonly rateLimitPerMinute: number;
  /** Bytes of request bodies per client. */
  readonly bodyBytesPerMinute: number;
  readonly authFailuresPerMinute: number;
  /** Requests per address for API documents, ping and unknown routes. */
  readonly openRateLimitPerMinute: number;
  /** Requests to API v1 per address, or per user of a token. */
  readonly v1RateLimitPerMinute: number;
  /** Requests per address for public pages. */
  readonly pageRateLimitPerMinute: number;
  /** Pages offered under `/docs`. */
  readonly docs: 'integrators' | 'all' | 'none';
  /** Whether the API serves the panel at `/panel`. */
  readonly panel: boolean;
  /** Where users of the panel may also sign in; null when not set. */
  readonly panelProvider: PanelProvider | null;
  /** Language of API v1's messages. */
  readonly locale: 'en' | 'he';
  /** How long `POST /shipments` waits for the carrier before it answers 202. */
  readonly createWaitMs: number;
  readonly idempotencyKeyDays: number;
  readonly fingerprintHours: number;
  readonly pollIntervalSeconds: number;
  /** Parallel creations of batches per license in a worker process. */
  readonly batchWindow: number;
  /** Private CIDRs that webhooks may reach. */
  readonly webhookAllowCidrs: readonly string[];
  /** Public CIDRs that webhooks may not reach. */
  readonly webhookDenyCidrs: readonly string[];
  /** Seconds before a failed webhook delivery is retried. */
  readonly webhookRetrySeconds: number;
  /** Number of reverse proxies, for the caller's address. */
  readonly trustProxy: number;
  /** Bytes of request bodies in an API process. */
  readonly bodyBudgetBytes: number;
  /** Connections of an API process. */
  readonly maxConnections: number;
  /** Open requests of an API process, also those waiting for a carrier. */
  readonly maxOpenRequests: number;
  /** Open requests that wait only for the process and its database. */
  readonly maxWorkingRequests: number;
  /** Event loop delay above which requests are rejected; 0 disables the limit. */
  readonly maxLoopDelayMs: number;
  /** Time to finish work after SIGTERM. */
  readonly shutdownGraceMs: number;
  /** Retention in days of each kind of record. */
  readonly retention: RetentionConfig;
  /** Mail server: `smtp://user:password@host:port`, or `smtps://…`. */
  readonly smtpUrl: string;
  /** Sender of all mails: `Name <address>`. */
  readonly mailFrom: string;
  /** Timeout of a mail to a recipient. */
  readonly mailTimeoutMs: number;
  /** Mails to recipients per license and day (UTC). */
  readonly mailsPerDay: number;
  /** Storage of labels and documents: a shared directory or an S3 bucket. */
  readonly storage: StorageConfig;
  /** The browser that prints labels; null searches for one. */
  readonly browserPath: string | null;
  /** Parallel pages of a worker's browser. */
  readonly browserPages: number;
  /** Whether the browser uses its sandbox; root cannot. */
  readonly browserSandbox: boolean;
  /** Set only by `npm start`: the documentation publishes them. */
  readonly demo: DemoCredentials | null;
}

/** Reads and checks the environment. @throws ConfigError that names every missing or invalid variable */
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
    payloadEncryption: encryptionOf(read),
    codecToken: read.TEMPORAL_CODEC_TOKEN ?? null,
    appKey: read.APP_KEY,
    logLevel: read.LOG_LEVEL,
    workerQueues: named.length === 0 ? null : named,
    workerHealthHost: read.WORKER_HEALTH_HOST,
    workerHealthPort: read.WORKER_HEALTH_PORT,
    metricsHost: read.METRICS_HOST,
    apiMetricsPort: read.API_METRICS_PORT,
    workerMetricsPort: read.WORKER_METRICS_PORT,
    alertUrl: read.ALERT_URL ?? null,
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '') ?? null,
    alertMail: read.ALERT_MAIL ?? null,
    ...limitsOf(read),
    docs: read.DOCS,
    panel: read.PANEL === 'on',
    panelProvider: panelProviderOf(read),
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

/** Request limits per caller and in total. */
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
 * Parses `DEMO_CREDENTIALS` of `npm start`: client id, secret, license key, app secret and user token, joined
 * by `:`. Not a setting: the documentation publishes them.
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
