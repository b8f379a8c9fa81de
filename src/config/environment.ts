import { bool, cleanEnv, email, num, port, str, url } from 'envalid';
import { DENIED_RANGES } from '../domain/denied-ranges.js';
import { LIMITS } from '../lib/limits/values.js';
import { readSecretFiles } from './secret-files.js';
import {
  appKeys,
  atLeast,
  buildId,
  cidrs,
  days,
  fileContent,
  graceMs,
  hookUrl,
  hours,
  issuerUrl,
  keyRing,
  longToken,
  mysqlUrl,
  origin,
} from './validators.js';

/** Addresses that no link can use. */
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const SPEC = {
  HOST: str({ default: '127.0.0.1' }),
  PORT: port({ default: 3000 }),
  BASE_URL: origin({ default: undefined }),
  DATABASE_URL: mysqlUrl({ example: 'mysql://user:password@127.0.0.1:3306/parcelworks' }),
  DATABASE_POOL_SIZE: num({ default: 20 }),
  TEMPORAL_ADDRESS: str({ default: '127.0.0.1:7233' }),
  TEMPORAL_NAMESPACE: str({ default: 'default' }),
  TEMPORAL_UI_URL: url({ default: undefined }),
  TEMPORAL_API_KEY: str({ default: '' }),
  TEMPORAL_TLS: bool({ default: undefined }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileContent({ default: undefined }),
  TEMPORAL_TLS_SERVER_NAME: str({ default: '' }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: fileContent({ default: undefined }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: fileContent({ default: undefined }),
  TEMPORAL_PAYLOAD_KEY: keyRing({ default: undefined }),
  TEMPORAL_PAYLOAD_CLEAR: str<'refuse' | 'accept' | 'write'>({
    default: 'refuse',
    choices: ['refuse', 'accept', 'write'],
  }),
  TEMPORAL_CODEC_TOKEN: longToken({ default: undefined }),
  APP_KEY: appKeys({ desc: 'openssl rand -base64 32' }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  }),
  WORKER_QUEUES: str({ default: '' }),
  WORKER_BUILD_ID: buildId({ default: undefined }),
  WORKER_HEALTH_HOST: str({ default: '127.0.0.1' }),
  WORKER_HEALTH_PORT: num({ default: 0 }),
  METRICS_HOST: str({ default: '127.0.0.1' }),
  API_METRICS_PORT: num({ default: 0 }),
  WORKER_METRICS_PORT: num({ default: 0 }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ default: undefined }),
  ALERT_URL: hookUrl({ default: undefined }),
  ALERT_MAIL: email({ default: undefined }),
  RATE_LIMIT_PER_MINUTE: num({ default: 600 }),
  BODY_BYTES_PER_MINUTE: num({ default: 64 * 1024 * 1024 }),
  AUTH_FAILURES_PER_MINUTE: num({ default: 60 }),
  OPEN_RATE_LIMIT_PER_MINUTE: num({ default: 1200 }),
  PAGE_RATE_LIMIT_PER_MINUTE: num({ default: 120 }),
  V1_RATE_LIMIT_PER_MINUTE: num({ default: 500 }),
  DOCS: str<'integrators' | 'all' | 'none'>({
    default: 'integrators',
    choices: ['integrators', 'all', 'none'],
  }),
  MCP: str<'off' | 'read' | 'write'>({ default: 'read', choices: ['off', 'read', 'write'] }),
  PANEL: str<'on' | 'off'>({ default: 'on', choices: ['on', 'off'] }),
  PANEL_OIDC_ISSUER: issuerUrl({ default: undefined }),
  PANEL_OIDC_CLIENT_ID: str({ default: '' }),
  PANEL_OIDC_CLIENT_SECRET: str({ default: '' }),
  PANEL_OIDC_NAME: str({ default: '' }),
  APP_LOCALE: str<'en' | 'he'>({ default: 'en', choices: ['en', 'he'] }),
  CREATE_WAIT_MS: num({ default: 25_000 }),
  IDEMPOTENCY_KEY_DAYS: days({ default: 30 }),
  FINGERPRINT_HOURS: hours({ default: 24 }),
  POLL_INTERVAL_SECONDS: num({ default: 60 }),
  BATCH_WINDOW: num({ default: 32 }),
  WEBHOOK_ALLOW_CIDRS: cidrs({ default: [] }),
  WEBHOOK_DENY_CIDRS: cidrs({ default: DENIED_RANGES }),
  WEBHOOK_RETRY_SECONDS: num({ default: 30 }),
  TRUST_PROXY: num({ default: 0 }),
  SHUTDOWN_GRACE_MS: graceMs({ default: 20_000 }),
  RETENTION_DELIVERY_DAYS: days({ default: 30 }),
  RETENTION_RESPONSE_DAYS: days({ default: 30 }),
  RETENTION_INBOUND_DAYS: days({ default: 30 }),
  RETENTION_BATCH_DAYS: days({ default: 90 }),
  RETENTION_NOTIFICATION_DAYS: days({ default: 90 }),
  RETENTION_ATTEMPT_DAYS: days({ default: 400 }),
  RETENTION_REFUSAL_DAYS: days({ default: 90 }),
  RETENTION_LABEL_DAYS: days({ default: 180 }),
  BODY_BUDGET_BYTES: atLeast(2 * LIMITS.batches.bodyBytes)({ default: 64 * 1024 * 1024 }),
  MAX_CONNECTIONS: num({ default: 4096 }),
  MAX_OPEN_REQUESTS: num({ default: 512 }),
  MAX_WORKING_REQUESTS: num({ default: 256 }),
  MAX_LOOP_DELAY_MS: num({ default: 250 }),
  SMTP_URL: url({ default: 'smtp://127.0.0.1:1025' }),
  MAIL_FROM: str({ default: 'Parcelworks <no-reply@localhost>' }),
  MAIL_TIMEOUT_MS: num({ default: 30_000 }),
  MAILS_PER_DAY: atLeast(0)({ default: 10_000 }),
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

/** The message names each invalid variable and its rule. */
export class ConfigError extends Error {}

export const VARIABLES: readonly string[] = Object.keys(SPEC);

export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Secrets may come from files: see {@link readSecretFiles}.
 * @throws ConfigError that names every missing or invalid variable, and the file where its value was in one
 */
export function readEnvironment(given: NodeJS.ProcessEnv) {
  const { env, files, faults } = readSecretFiles(given);
  const read = cleanEnv(env, SPEC, {
    reporter: ({ errors }) => {
      const wrong = Object.entries(errors).flatMap(([name, error]) =>
        `${name}_FILE` in faults
          ? []
          : [`  ${name}: ${withoutValue(error?.message ?? 'missing')}${fileOf(files.get(name))}`],
      );
      const lines = [...Object.entries(faults).map(([name, fault]) => `  ${name}: ${fault}`), ...wrong];
      if (lines.length > 0) throw new ConfigError(`The environment is not complete:\n${lines.join('\n')}`);
    },
  });
  if (read.BASE_URL === undefined && UNSPECIFIED.has(read.HOST)) {
    throw new ConfigError(
      'The environment is not complete:\n  BASE_URL: must be the public address of the API when HOST means all addresses',
    );
  }
  return read;
}

function fileOf(path: string | undefined): string {
  return path === undefined ? '' : ` (in ${path})`;
}

/** Removes values: any may be a password in the wrong variable. */
function withoutValue(text: string): string {
  return text.replace(/: ".*"$/s, '').replace(/^Value ".*" not in choices/s, 'Value not in choices');
}
