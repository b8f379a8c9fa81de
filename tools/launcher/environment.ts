import { join } from 'node:path';
import type { DemoData } from '../demo/data.js';
import { TRY_LICENSE } from '../demo/orders.js';
import type { Settings } from './demo-file.js';
import { devFolder } from './paths.js';
import type { DevSecrets } from './state.js';

/** The demo's receivers are on loopback. */
const WEBHOOK_ALLOW_CIDRS = '127.0.0.0/8,::1/128';

/** Settings of the demo's worker and API. */
export function environment(settings: Settings, secrets: DevSecrets): Record<string, string> {
  const { chromium, temporalAddress, temporalUi, databaseUrl, baseUrl } = settings;
  return {
    PORT: String(settings.apiPort),
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    ...(temporalUi === null ? {} : { TEMPORAL_UI_URL: temporalUi }),
    APP_KEY: secrets.appKey,
    TEMPORAL_PAYLOAD_KEY: secrets.payloadKey,
    TEMPORAL_PAYLOAD_CLEAR: secrets.payloadClear,
    TEMPORAL_CODEC_TOKEN: secrets.codecToken,
    SMTP_URL: settings.mail.smtp,
    WEBHOOK_ALLOW_CIDRS,
    WORKER_HEALTH_PORT: String(settings.workerHealthPort),
    API_METRICS_PORT: String(settings.apiMetricsPort),
    WORKER_METRICS_PORT: String(settings.workerMetricsPort),
    STORAGE_DIR: join(devFolder, 'storage'),
    DOCS: 'all',
    DEMO_CREDENTIALS: [
      secrets.first.clientId,
      secrets.first.clientSecret,
      TRY_LICENSE,
      secrets.appSecret,
    ].join(':'),
    ...(chromium === null ? {} : { PUPPETEER_EXECUTABLE_PATH: chromium }),
  };
}

/** The token comes last, because the database issues it. */
export function withToken(env: Record<string, string>, { userToken }: DemoData): Record<string, string> {
  return { ...env, DEMO_CREDENTIALS: `${env['DEMO_CREDENTIALS']}:${userToken}` };
}
