import { type DemoData, STORE_DOMAIN } from '../demo/data.js';
import type { DemoLicense } from '../demo/orders.js';
import { PANEL_EMAILS } from '../demo/panel.js';
import { metricsUrls } from './observe.js';
import type { DevSecrets } from './state.js';
import type { Supervisor } from './supervisor.js';

/** Addresses of the running system. */
export interface Settings {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** Null for a Temporal server that was already running. */
  readonly temporalUi: string | null;
  /** Decrypts what that UI, or the CLI, shows. */
  readonly codecEndpoint: string;
  readonly baseUrl: string;
  readonly apiPort: number;
  readonly workerHealthPort: number;
  readonly apiMetricsPort: number;
  readonly workerMetricsPort: number;
  /** Provider → URL of its sandbox. */
  readonly sandboxes: Readonly<Record<string, string>>;
  readonly mail: Readonly<{ smtp: string; ui: string | null; api: string | null }>;
  readonly chromium: string | null;
}

/** A license in `.dev/demo.json`. */
function keyAndProvider({ key, provider }: DemoLicense): object {
  return { key, provider };
}

export function demoFile(
  supervisor: Supervisor,
  settings: Settings,
  secrets: DevSecrets,
  data: DemoData,
): object {
  const pids = new Map(supervisor.processes().map(({ name, pid }) => [name, pid]));
  const pid = (name: string): number | null => pids.get(name) ?? null;
  return {
    base_url: settings.baseUrl,
    client_id: secrets.first.clientId,
    client_secret: secrets.first.clientSecret,
    licenses: data.first.map(keyAndProvider),
    second_account: {
      client_id: secrets.second.clientId,
      client_secret: secrets.second.clientSecret,
      licenses: data.second.map(keyAndProvider),
    },
    third_account: {
      client_id: secrets.third.clientId,
      client_secret: secrets.third.clientSecret,
      licenses: data.third.map(keyAndProvider),
    },
    app_secret: secrets.appSecret,
    user_token: data.userToken,
    recipient_token: data.recipientToken,
    store_domain: STORE_DOMAIN,
    panel: `${settings.baseUrl}/panel`,
    panel_user: {
      email: PANEL_EMAILS.administrator,
      owner_email: PANEL_EMAILS.owner,
      password: secrets.panel.password,
      totp_secret: secrets.panel.totpSecret,
    },
    temporal_address: settings.temporalAddress,
    temporal_ui: settings.temporalUi,
    metrics: metricsUrls(settings),
    codec_endpoint: settings.codecEndpoint,
    mail_ui: settings.mail.ui,
    mail_api: settings.mail.api,
    sandboxes: settings.sandboxes,
    database_url: settings.databaseUrl,
    pids: {
      api: pid('api'),
      worker: pid('worker'),
      temporal: pid('temporal'),
      mysql: pid('mysql'),
      mail: pid('mail-catcher'),
      sandboxes: pid('sandboxes'),
    },
  };
}
