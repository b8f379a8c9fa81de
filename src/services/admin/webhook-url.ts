import type { App } from '../app.js';
import { licenseInboundUrl, rotateInboundUrl } from '../carriers/inbound-addresses.js';
import { requireAdapter } from './carriers.js';
import { fieldError } from './check.js';
import { requireLicense } from './licenses.js';

type UrlAdminApp = Pick<App<'appKey' | 'baseUrl'>, 'db' | 'adapters' | 'config'>;

/** URL for a license's carrier to post statuses to. */
export interface WebhookUrl {
  license: string;
  provider: string;
  url: string;
}

/**
 * The URL to configure at a license's carrier; `rotate` replaces it. @throws AppError `validation_failed` for
 * an unknown license or a carrier without webhooks
 */
export async function licenseWebhookUrl(
  app: UrlAdminApp,
  request: { license: string; rotate?: boolean },
): Promise<WebhookUrl> {
  const { id, key, provider } = await requireLicense(app, request.license);
  const urlOf = request.rotate === true ? rotateInboundUrl : licenseInboundUrl;
  const url = await urlOf(
    { db: app.db, config: app.config, carriers: (name) => requireAdapter(app, name) },
    id,
  );
  if (url === null) {
    throw fieldError(
      'license',
      `must be of a carrier that posts webhooks, and have settings; ${provider} is not`,
    );
  }
  return { license: key, provider, url };
}
