import type { Executor } from '../../db/database.js';
import type { LicenseHead } from '../../db/queries/accounts/licenses.js';
import type { App } from '../app.js';
import { licenseInboundUrl, rotateInboundUrl } from '../carriers/inbound-addresses.js';
import { type ActingApp, audited } from './audited.js';
import { requireAdapter } from './carriers.js';
import { fieldError } from './check.js';
import { requireLicense } from './licenses.js';

type UrlAdminApp = Pick<App<'appKey' | 'baseUrl'>, 'db' | 'adapters' | 'config'>;

/** URL for a license's carrier to post statuses to. */
interface WebhookUrl {
  license: string;
  provider: string;
  url: string;
}

/**
 * The URL to configure at a license's carrier. @throws AppError `validation_failed` for an unknown license or a
 * carrier without webhooks
 */
export async function licenseWebhookUrl(app: UrlAdminApp, request: { license: string }): Promise<WebhookUrl> {
  const license = await requireLicense(app, request.license);
  return urlOf(license, await licenseInboundUrl(addressApp(app, app.db), license.id));
}

/** Replaces that URL: the old one ends at once. @throws as {@link licenseWebhookUrl} */
export async function rotateWebhookUrl(
  app: UrlAdminApp & ActingApp,
  request: { license: string },
): Promise<WebhookUrl> {
  return await audited(app, 'licenses.rotate-webhook-url', async (db) => {
    const license = await requireLicense({ db }, request.license);
    const { id, accountId } = license;
    const result = urlOf(license, await rotateInboundUrl(addressApp(app, db), id));
    return { result, target: { kind: 'license', id }, accountId, before: {}, after: { url: 'changed' } };
  });
}

function addressApp(app: UrlAdminApp, db: Executor) {
  return { db, config: app.config, carriers: (name: string) => requireAdapter(app, name) };
}

function urlOf({ key, provider }: LicenseHead, url: string | null): WebhookUrl {
  if (url !== null) return { license: key, provider, url };
  throw fieldError(
    'license',
    `must be of a carrier that posts webhooks, and have settings; ${provider} is not`,
  );
}
