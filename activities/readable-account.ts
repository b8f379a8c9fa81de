import type { CarrierAccount } from '../src/carriers/contract.js';
import { problem } from '../src/domain/problems/problem.js';
import type { App } from '../src/services/app.js';
import { AccountUnreadable } from '../src/services/carriers/carrier-accounts.js';

/** For callers, in place of the carrier's own words about credentials. */
export const CREDENTIALS_REFUSED = problem('credentials_refused').text;

/** The license's account; null when its settings are unreadable, which only a person can fix. */
export async function readableAccount(
  { accounts }: Pick<App, 'accounts'>,
  { licenseId, provider }: { licenseId: number; provider: string },
): Promise<CarrierAccount | null> {
  try {
    return await accounts(licenseId, provider);
  } catch (error) {
    if (error instanceof AccountUnreadable) return null;
    throw error;
  }
}
