import type { CarrierAccount } from '../carriers/contract.js';
import type { Database } from '../db/database.js';
import { getCarrierAccount } from '../db/queries/licenses.js';
import { decrypt } from '../lib/secrets.js';

/** Short, so that changed credentials count at once for people; long enough to spare a query a booking. */
const KEEP_MS = 5000;
const MAX_KEPT = 1000;

/** Loads carrier accounts by licence id, secrets opened, and keeps each for a few seconds. */
export function createCarrierAccounts(
  db: Database,
  appKey: Buffer,
): (licenseId: number) => Promise<CarrierAccount> {
  const kept = new Map<number, { account: CarrierAccount; until: number }>();
  return async (licenseId) => {
    const hit = kept.get(licenseId);
    if (hit !== undefined && hit.until > Date.now()) return hit.account;
    const stored = await getCarrierAccount(db, licenseId);
    if (stored === null) throw new Error(`licence ${licenseId} has no carrier settings`);
    const { settings, secrets, collectFrom } = stored;
    const account = { licenseId, settings, secrets: openSecrets(secrets, appKey), collectFrom };
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(licenseId, { account, until: Date.now() + KEEP_MS });
    return account;
  };
}

function openSecrets(blob: Buffer | null, appKey: Buffer): Record<string, string> {
  if (blob === null) return {};
  const parsed: unknown = JSON.parse(decrypt(blob, appKey));
  if (typeof parsed !== 'object' || parsed === null) throw new Error('the stored secrets are not an object');
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
}
