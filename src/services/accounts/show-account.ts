import { type AccountRecord, getAccount } from '../../db/queries/accounts/accounts.js';
import type { LicenseRecord } from '../../db/queries/accounts/licenses.js';
import { sharedPer } from '../../lib/limits/shared-by-key.js';
import type { App } from '../app.js';
import { listShownLicenses } from './list-licenses.js';

/** An account with its licenses, without secrets. */
interface ShownAccount {
  account: AccountRecord;
  licenses: LicenseRecord[];
}

/** Reads an account and its licenses; concurrent callers share the result. */
export const showAccount = sharedPer(
  async (app: Pick<App, 'db' | 'carriers'>, accountId: number): Promise<ShownAccount> => {
    const [account, licenses] = await Promise.all([
      getAccount(app.db, accountId),
      listShownLicenses(app, accountId),
    ]);
    return { account, licenses };
  },
);
