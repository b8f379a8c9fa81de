import type { CarrierAdapter } from '../../carriers/contract.js';
import { type LicenseRecord, listLicenses } from '../../db/queries/accounts/licenses.js';
import type { JsonObject } from '../../domain/shipment.js';
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
  return licenses.map((license) => ({
    ...license,
    settings: license.settings.map((record) => ({
      ...record,
      settings: withoutSecrets(record.settings, app.carriers(record.provider)),
    })),
  }));
}

function withoutSecrets(
  settings: JsonObject,
  { configSchema }: Pick<CarrierAdapter, 'configSchema'>,
): JsonObject {
  const properties: unknown = Reflect.get(configSchema, 'properties');
  const isSecret = (name: string) => part(part(properties, name), 'x-secret') === true;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !isSecret(name)));
}

function part(schema: unknown, name: string): unknown {
  return typeof schema === 'object' && schema !== null ? Reflect.get(schema, name) : undefined;
}
