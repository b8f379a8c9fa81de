import type { CarrierAdapter } from '../../carriers/contract.js';
import { syncCarriers } from '../../db/migrate.js';
import { type CarrierRecord, listCarriers } from '../../db/queries/accounts/companies.js';
import type { App } from '../app.js';
import { fieldError } from './check.js';
import { describeSettings, type SettingDescription } from './settings.js';

/** A carrier, and whether this version has its adapter. */
interface ListedCarrier extends CarrierRecord {
  available: boolean;
}

/** A carrier with its license settings. */
interface ShownCarrier extends ListedCarrier {
  settings: SettingDescription[];
}

/** Stores the program's carriers, as `migrate` does, and lists all. */
export async function carrierList({ db, adapters }: Pick<App, 'db' | 'adapters'>): Promise<ListedCarrier[]> {
  await syncCarriers(
    db,
    adapters.map(({ provider, displayName }) => ({ provider, name: displayName })),
  );
  const known = new Set(adapters.map(({ provider }) => provider));
  return (await listCarriers(db)).map((carrier) => ({ ...carrier, available: known.has(carrier.provider) }));
}

/** One carrier with its settings. @throws AppError `validation_failed` for an unknown one */
export async function showCarrier(
  app: Pick<App, 'db' | 'adapters'>,
  request: { carrier: string },
): Promise<ShownCarrier> {
  const adapter = requireAdapter(app, request.carrier);
  const listed = (await carrierList(app)).find(({ provider }) => provider === adapter.provider);
  if (listed === undefined) throw new Error(`The carrier ${adapter.provider} was not stored.`);
  return { ...listed, settings: describeSettings(adapter) };
}

/** The adapter of a provider. @throws AppError `validation_failed` listing the known ones */
export function requireAdapter({ adapters }: Pick<App, 'adapters'>, provider: string): CarrierAdapter {
  const adapter = adapters.find((one) => one.provider === provider);
  if (adapter !== undefined) return adapter;
  throw fieldError('carrier', `must be one of: ${adapters.map((one) => one.provider).join(', ')}`);
}
