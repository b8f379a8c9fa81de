import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CarrierAccount, CarrierAdapter } from '../../carriers/contract.js';
import { accountNamesOf } from '../../carriers/settings.js';
import type { Database } from '../../db/database.js';
import { type CarrierAccountRecord, getCarrierAccount } from '../../db/queries/accounts/licenses.js';
import { problem } from '../../domain/problems/problem.js';
import { type AppKeys, deriveKey, UnreadableSecret } from '../../lib/app-keys.js';
import { writeCanonicalJson } from '../../lib/canonical-json.js';
import { keptLastingKey } from '../accounts/lasting-key.js';

const ACCOUNT_KEPT_MS = 5000;

/** Message for unreadable settings. */
export const SETTINGS_UNREADABLE = problem('settings_unreadable').text;

/** The license's settings for the carrier are missing or cannot be decrypted: an operator must fix them. */
export class AccountUnreadable extends Error {
  override readonly name: string = 'AccountUnreadable';
}

/** This process has the wrong key for the secrets; one with the right key can read them. */
export class SecretsUnreadable extends AccountUnreadable {
  override readonly name = 'SecretsUnreadable';
}

/**
 * Loads a license's account with a provider, secrets decrypted, and caches it for a few seconds. Parcels stay
 * with the carrier that booked them, even if the license's company changes. @throws AccountUnreadable from the
 * loader
 */
export function createCarrierAccounts(
  db: Database,
  appKeys: AppKeys,
  carriers: (provider: string) => Pick<CarrierAdapter, 'configSchema'>,
): (licenseId: number, provider: string) => Promise<CarrierAccount> {
  const lasting = keptLastingKey(db, appKeys);
  const kept = new LRUCache<string, CarrierAccount, { licenseId: number; provider: string }>({
    max: 1000,
    ttl: ACCOUNT_KEPT_MS,
    ignoreFetchAbort: true,
    async fetchMethod(_name, _old, { context: { licenseId, provider } }) {
      const stored = await getCarrierAccount(db, { licenseId, provider });
      if (stored === null)
        throw new AccountUnreadable(`license ${licenseId} has no settings for ${provider}`);
      return await toAccount({ lasting, appKeys }, stored, accountNamesOf(carriers(provider)));
    },
  });
  return (licenseId, provider) =>
    kept.forceFetch(`${licenseId}/${provider}`, { context: { licenseId, provider } });
}

async function toAccount(
  { lasting, appKeys }: { lasting: () => Promise<Buffer>; appKeys: AppKeys },
  stored: CarrierAccountRecord,
  naming: ReadonlySet<string>,
): Promise<CarrierAccount> {
  const { licenseId, settings, collectFrom } = stored;
  const isUnreadable = (cause: unknown) =>
    new SecretsUnreadable(`the secrets of license ${licenseId} cannot be opened`, { cause });
  const key = await lasting().catch((error: unknown) => {
    throw error instanceof UnreadableSecret ? isUnreadable(error) : error;
  });
  try {
    const identityKey = deriveKey(key, 'carrier account');
    const secrets = openSecrets(stored.secrets, appKeys);
    const identity = identityOf({ ...settings, ...secrets }, naming, identityKey);
    return { licenseId, settings, secrets, collectFrom, identity };
  } catch (error) {
    throw isUnreadable(error);
  }
}

/** Keyed, because a token may be short. */
function identityOf(values: object, naming: ReadonlySet<string>, key: Buffer): string {
  const hash = createHmac('sha256', key);
  const ofAccount = Object.entries(values).filter(([name]) => naming.has(name));
  writeCanonicalJson(Object.fromEntries(ofAccount), (piece) => hash.update(piece));
  return hash.digest('base64url').slice(0, 27);
}

function openSecrets(blob: Buffer | null, appKeys: AppKeys): Record<string, string> {
  if (blob === null) return {};
  const parsed: unknown = JSON.parse(appKeys.openText('carrier settings', blob));
  if (typeof parsed !== 'object' || parsed === null) throw new Error('the stored secrets are not an object');
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
}
