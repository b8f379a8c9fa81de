import { findLicenseByKey, type KeyedLicense } from '../../db/queries/accounts/keyed-licenses.js';
import { bindLicense } from '../../db/queries/accounts/license-setup.js';
import { listSiteCallbacks } from '../../db/queries/accounts/store-sites.js';
import { recordLicenseChange } from '../../db/queries/webhooks/store-subscriptions.js';
import { LIMITS } from '../../lib/limits/values.js';
import { nowIso } from '../../lib/time.js';
import type { GuardedClient } from '../../outbound/guarded-client.js';
import type { App } from '../app.js';

/** `domain`: the store's, at most 255 characters. */
interface ActivateLicenseRequest {
  key: string;
  domain: string;
}

/** `unheard`: sites that could not be notified, with a reason that names no address. */
type ActivateLicenseOutcome =
  | { kind: 'unknown' }
  | { kind: 'activated'; license: KeyedLicense; unheard: { siteId: number; error: string }[] };

/**
 * Binds the license to the domain unless it has one, records when it started, and notifies each store site with
 * a callback once, in parallel. Sites with REST keys are notified by their own run. Inactive and expired
 * licenses are accepted; an unreachable site fails nothing.
 */
export async function activateLicense(
  { db, outbound, wake }: Pick<App, 'db' | 'outbound' | 'wake'>,
  { key, domain }: ActivateLicenseRequest,
): Promise<ActivateLicenseOutcome> {
  const license = await findLicenseByKey(db, key);
  if (license === null) return { kind: 'unknown' };
  const activatedAt = nowIso();
  await bindLicense(db, { licenseId: license.id, domain, startedAt: activatedAt });
  const body = JSON.stringify({ license_key: key, domain, activated_at: activatedAt });
  wake(await recordLicenseChange(db, license));
  const sites = await listSiteCallbacks(db, license);
  const errors = await Promise.all(sites.map((site) => tell(outbound, site, body)));
  const unheard = sites.flatMap(({ id }, index) => {
    const error = errors[index];
    return error === null || error === undefined ? [] : [{ siteId: id, error }];
  });
  return { kind: 'activated', license, unheard };
}

/** Why the site could not be notified; null on success. */
async function tell(outbound: GuardedClient, { url }: { url: string }, body: string): Promise<string | null> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const outcome = await outbound.post({ url, headers, body, timeoutMs: LIMITS.webhooks.licenseNoteMs });
  if (outcome.kind === 'aborted') return 'The request was aborted.';
  if (outcome.kind === 'failed') return outcome.error;
  return outcome.status >= 200 && outcome.status < 300 ? null : `The site answered HTTP ${outcome.status}.`;
}
