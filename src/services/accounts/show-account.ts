import { type AccountRecord, getAccount } from '../../db/queries/accounts/accounts.js';
import { type LicenseRecord, listLicenses } from '../../db/queries/accounts/licenses.js';
import { valueAt } from '../../lib/json.js';
import { sharedByKey } from '../../lib/limits/shared-by-key.js';
import type { App } from '../app.js';

/**
 * An account's licenses without secrets. Adapters also read secrets from plain settings, so these are masked by
 * the adapter's schema.
 */
export async function listShownLicenses(
  app: Pick<App, 'db' | 'carriers'>,
  accountId: number,
): Promise<LicenseRecord[]> {
  const licenses = await listLicenses(app.db, accountId);
  return licenses.map((license) => ({ ...license, settings: license.settings.map(withoutSecrets) }));

  function withoutSecrets(record: LicenseRecord['settings'][number]) {
    const { configSchema } = app.carriers(record.provider);
    const isSecret = (name: string) => valueAt(configSchema, 'properties', name, 'x-secret') === true;
    const shown = Object.entries(record.settings).filter(([name]) => !isSecret(name));
    return { ...record, settings: Object.fromEntries(shown) };
  }
}

/** Reads an account with its licenses, without secrets; concurrent callers share the result. */
export function createAccountReader(app: Pick<App, 'db' | 'carriers'>) {
  return sharedByKey(
    async (accountId: number): Promise<{ account: AccountRecord; licenses: LicenseRecord[] }> => {
      const [account, licenses] = await Promise.all([
        getAccount(app.db, accountId),
        listShownLicenses(app, accountId),
      ]);
      return { account, licenses };
    },
  );
}
