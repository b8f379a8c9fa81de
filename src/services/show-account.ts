import { type AccountRecord, getAccount } from '../db/queries/accounts.js';
import type { LicenseRecord } from '../db/queries/licenses.js';
import { listShownLicenses, type ShownLicensesDeps } from './list-licenses.js';

/** An account with every license, as it may be shown. */
export interface ShownAccount {
  account: AccountRecord;
  licenses: LicenseRecord[];
}

/** Reads an account and its licenses. */
export async function showAccount(deps: ShownLicensesDeps, accountId: number): Promise<ShownAccount> {
  const [account, licenses] = await Promise.all([
    getAccount(deps.db, accountId),
    listShownLicenses(deps, accountId),
  ]);
  return { account, licenses };
}
