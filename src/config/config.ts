import { ConfigError, type Environment, readEnvironment } from './environment.js';
import { panelProviderOf } from './panel-provider.js';
import { storageOf } from './storage-access.js';
import { temporalAccessOf } from './temporal-access.js';

/** The checked, frozen settings of all processes; docs/configure.md describes them. */
export type Config = ReturnType<typeof loadConfig>;

/** Reads and checks the environment. @throws ConfigError that names every missing or invalid variable */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = readEnvironment(env);
  return Object.freeze({
    /** `NODE_ENV` is `production`. */
    isProduction: env.NODE_ENV === 'production',
    ...serversOf(read),
    ...enginesOf(read),
    ...limitsOf(read),
    ...workOf(read),
    /** Set only by `npm start`: the documentation publishes them. */
    demo: demoOf(env),
  });
}

/** Settings of what the processes serve, and of who watches them. */
function serversOf(read: Environment) {
  return {
    host: read.HOST,
    port: read.PORT,
    /** Public address of the API, without a trailing slash. */
    baseUrl: read.BASE_URL ?? `http://${read.HOST.includes(':') ? `[${read.HOST}]` : read.HOST}:${read.PORT}`,
    /** Seal credentials, secrets and what browsers keep. */
    appKeys: read.APP_KEY,
    logLevel: read.LOG_LEVEL,
    /** Address of a worker's health endpoint. */
    workerHealthHost: read.WORKER_HEALTH_HOST,
    /** Its port; 0 disables it. */
    workerHealthPort: read.WORKER_HEALTH_PORT,
    /** Address of the metrics of both kinds of processes. */
    metricsHost: read.METRICS_HOST,
    /** Port of the API's metrics; 0 disables them. */
    apiMetricsPort: read.API_METRICS_PORT,
    /** Port of a worker's metrics; 0 disables them. */
    workerMetricsPort: read.WORKER_METRICS_PORT,
    /** Gets a JSON message when shipments begin to wait for a person; null when not set. */
    alertUrl: read.ALERT_URL ?? null,
    /** Gets a mail then; null when not set. */
    alertMail: read.ALERT_MAIL ?? null,
    /** Address of an OpenTelemetry collector (OTLP over HTTP), without a trailing slash; null disables traces. */
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '') ?? null,
    /** Pages offered under `/docs`. */
    docs: read.DOCS,
    /** The right of programs that speak the Model Context Protocol at `/mcp`. */
    mcp: read.MCP,
    /** Whether the API serves the panel at `/panel`. */
    panel: read.PANEL === 'on',
    /** Where users of the panel may also sign in; null when not set. */
    panelProvider: panelProviderOf(read),
    /** Language of API v1's messages. */
    locale: read.APP_LOCALE,
  };
}

/** The engines, the mail server, the document store and the browser. */
function enginesOf(read: Environment) {
  return {
    databaseUrl: read.DATABASE_URL,
    databasePoolSize: read.DATABASE_POOL_SIZE,
    temporalAddress: read.TEMPORAL_ADDRESS,
    temporalNamespace: read.TEMPORAL_NAMESPACE,
    /** TLS and credentials for its server. */
    temporalAccess: temporalAccessOf(read),
    /** URL of its UI for links, without a trailing slash; null when not set. */
    temporalUiUrl: read.TEMPORAL_UI_URL?.replace(/\/$/, '') ?? null,
    /** Null stores workflow payloads in clear. */
    payloadEncryption: encryptionOf(read),
    /** Opens the codec endpoint of the API; null disables it. */
    codecToken: read.TEMPORAL_CODEC_TOKEN ?? null,
    /** Mail server: `smtp://user:password@host:port`, or `smtps://…`. */
    smtpUrl: read.SMTP_URL,
    /** Sender of all mails: `Name <address>`. */
    mailFrom: read.MAIL_FROM,
    /** Timeout of a mail to a recipient. */
    mailTimeoutMs: read.MAIL_TIMEOUT_MS,
    /** Storage of labels and documents: a shared directory or an S3 bucket. */
    storage: storageOf(read),
    /** The browser that prints labels; null searches for one. */
    browserPath: read.PUPPETEER_EXECUTABLE_PATH === '' ? null : read.PUPPETEER_EXECUTABLE_PATH,
    /** Parallel pages of a worker's browser. */
    browserPages: Math.max(1, read.BROWSER_PAGES),
    /** Whether the browser uses its sandbox; root cannot. */
    browserSandbox: read.BROWSER_SANDBOX,
  };
}

/** Request limits per caller and in total. */
function limitsOf(read: Environment) {
  return {
    rateLimitPerMinute: read.RATE_LIMIT_PER_MINUTE,
    /** Bytes of request bodies per client. */
    bodyBytesPerMinute: read.BODY_BYTES_PER_MINUTE,
    /** Requests per address for API documents, ping and unknown routes. */
    openRateLimitPerMinute: read.OPEN_RATE_LIMIT_PER_MINUTE,
    authFailuresPerMinute: read.AUTH_FAILURES_PER_MINUTE,
    /** Requests per address for public pages. */
    pageRateLimitPerMinute: read.PAGE_RATE_LIMIT_PER_MINUTE,
    /** Requests to API v1 per address, or per user of a token. */
    v1RateLimitPerMinute: read.V1_RATE_LIMIT_PER_MINUTE,
    /** Number of reverse proxies, for the caller's address. */
    trustProxy: read.TRUST_PROXY,
    /** Bytes of request bodies in an API process. */
    bodyBudgetBytes: read.BODY_BUDGET_BYTES,
    /** Connections of an API process. */
    maxConnections: read.MAX_CONNECTIONS,
    /** Open requests of an API process, also those waiting for a carrier. */
    maxOpenRequests: read.MAX_OPEN_REQUESTS,
    /** Open requests that wait only for the process and its database. */
    maxWorkingRequests: read.MAX_WORKING_REQUESTS,
    /** Event loop delay above which requests are rejected; 0 disables the limit. */
    maxLoopDelayMs: read.MAX_LOOP_DELAY_MS,
    /** Mails to recipients per license and day (UTC). */
    mailsPerDay: read.MAILS_PER_DAY,
  };
}

/** How the work is done, and how long its records are kept. */
function workOf(read: Environment) {
  const queues = read.WORKER_QUEUES.split(',').map((name) => name.trim());
  return {
    /** Task queues of a worker process, or all where none is named; those with a `-` are left out. */
    workerQueues: queues.filter((name) => name !== ''),
    /** The build whose runs stay with its workers; null where runs are any worker's. */
    workerBuildId: read.WORKER_BUILD_ID ?? null,
    /** How long `POST /shipments` waits for the carrier before it answers 202. */
    createWaitMs: read.CREATE_WAIT_MS,
    idempotencyKeyDays: read.IDEMPOTENCY_KEY_DAYS,
    fingerprintHours: read.FINGERPRINT_HOURS,
    pollIntervalSeconds: read.POLL_INTERVAL_SECONDS,
    /** Parallel creations of batches per license in a worker process. */
    batchWindow: read.BATCH_WINDOW,
    /** Public CIDRs that webhooks may not reach. */
    webhookDenyCidrs: read.WEBHOOK_DENY_CIDRS,
    /** Private CIDRs that webhooks may reach. */
    webhookAllowCidrs: read.WEBHOOK_ALLOW_CIDRS,
    /** Seconds before a failed webhook delivery is retried. */
    webhookRetrySeconds: read.WEBHOOK_RETRY_SECONDS,
    /** Time to finish work after SIGTERM. */
    shutdownGraceMs: read.SHUTDOWN_GRACE_MS,
    /** Days, each at least 1. */
    retention: {
      /** Webhook deliveries and attempts. */
      deliveryDays: read.RETENTION_DELIVERY_DAYS,
      /** Logged responses of API v1. */
      responseDays: read.RETENTION_RESPONSE_DAYS,
      /** Carriers' webhooks. */
      inboundDays: read.RETENTION_INBOUND_DAYS,
      /** Completed batches with their items. */
      batchDays: read.RETENTION_BATCH_DAYS,
      /** Mails to recipients. */
      notificationDays: read.RETENTION_NOTIFICATION_DAYS,
      /** Calls to carriers. */
      attemptDays: read.RETENTION_ATTEMPT_DAYS,
      /** Refused shipments, and orders without other shipments. */
      refusalDays: read.RETENTION_REFUSAL_DAYS,
      /** Label URLs, and label files in a directory. */
      labelDays: read.RETENTION_LABEL_DAYS,
    },
  };
}

/**
 * The credentials that the API references fill in for a demo, from `DEMO_CREDENTIALS` of `npm start`: client id,
 * secret, license key, secret of the recipient app and a user's token for API v1, joined by `:`.
 */
function demoOf({ DEMO_CREDENTIALS, NODE_ENV }: NodeJS.ProcessEnv) {
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

/** Encryption of what runs store in the engine. */
export type PayloadEncryption = NonNullable<Config['payloadEncryption']>;

/** Null without a key. */
function encryptionOf({ TEMPORAL_PAYLOAD_KEY: keys, TEMPORAL_PAYLOAD_CLEAR }: Environment) {
  if (keys === undefined) return null;
  return {
    /** The first key encrypts, each decrypts. */
    keys,
    /** Whether payloads that are not encrypted are refused, read, or also still written. */
    clear: TEMPORAL_PAYLOAD_CLEAR,
  };
}
