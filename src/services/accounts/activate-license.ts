import { findLicenseByKey, type KeyedLicense } from '../../db/queries/accounts/keyed-licenses.js';
import { bindLicense } from '../../db/queries/accounts/license-setup.js';
import { listSiteCallbacks } from '../../db/queries/accounts/store-sites.js';
import { recordLicenseChange } from '../../db/queries/webhooks/store-subscriptions.js';
import { nowIso } from '../../lib/time.js';
import type { GuardedClient } from '../../outbound/guarded-client.js';
import type { App } from '../app.js';

/** A site that could not be notified, with a reason that names no address. */
interface Unheard {
  siteId: number;
  error: string;
}

/**
 * Binds the license to the domain unless it has one, records when it started, and notifies each store site with
 * a callback once, in parallel. Sites with REST keys are notified by their own run. Inactive and expired
 * licenses are accepted; an unreachable site fails nothing. `domain`: the store's, at most 255 characters.
 */
export async function activateLicense(
  { db, outbound, wake }: Pick<App, 'db' | 'outbound' | 'wake'>,
  { key, domain }: { key: string; domain: string },
): Promise<{ kind: 'unknown' } | { kind: 'activated'; license: KeyedLicense; unheard: Unheard[] }> {
  const license = await findLicenseByKey(db, key);
  if (license === null) return { kind: 'unknown' };
  const activatedAt = nowIso();
  await bindLicense(db, { licenseId: license.id, domain, startedAt: activatedAt });
  const body = JSON.stringify({ license_key: key, domain, activated_at: activatedAt });
  wake(await recordLicenseChange(db, license));
  const sites = await listSiteCallbacks(db, license);
  const unheard = await Promise.all(sites.map((site) => tell(outbound, site, body)));
  return { kind: 'activated', license, unheard: unheard.flat() };
}

/** The site, if it could not be notified. */
async function tell(
  outbound: GuardedClient,
  { id: siteId, url }: { id: number; url: string },
  body: string,
): Promise<Unheard[]> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const outcome = await outbound.post({ url, headers, body, timeoutMs: 5000 });
  if (outcome.kind === 'aborted') return [{ siteId, error: 'The request was aborted.' }];
  if (outcome.kind === 'failed') return [{ siteId, error: outcome.error }];
  const isHeard = outcome.status >= 200 && outcome.status < 300;
  return isHeard ? [] : [{ siteId, error: `The site answered HTTP ${outcome.status}.` }];
}
