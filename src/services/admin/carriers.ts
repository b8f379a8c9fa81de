import type { CarrierAdapter } from '../../carriers/contract.js';
import { syncCarriers } from '../../db/migrate.js';
import { listCarriers } from '../../db/queries/accounts/companies.js';
import type { App } from '../app.js';
import { fieldError } from './check.js';
import { describeSettings } from './settings.js';

/** Stores the program's carriers, as `migrate` does, and lists all. `available`: this version has its adapter. */
export async function carrierList({ db, adapters }: Pick<App, 'db' | 'adapters'>) {
  await syncCarriers(
    db,
    adapters.map(({ provider, displayName }) => ({ provider, name: displayName })),
  );
  const known = new Set(adapters.map(({ provider }) => provider));
  return (await listCarriers(db)).map((carrier) => ({ ...carrier, available: known.has(carrier.provider) }));
}

/** One carrier with its settings. @throws AppError `validation_failed` for an unknown one */
export async function showCarrier(app: Pick<App, 'db' | 'adapters'>, request: { carrier: string }) {
  const adapter = requireAdapter(app, request.carrier);
  const listed = (await carrierList(app)).find(({ provider }) => provider === adapter.provider);
  if (listed === undefined) throw new Error(`The carrier ${adapter.provider} was not stored.`);
  const settings = describeSettings(adapter).map(({ form: _form, ...setting }) => setting);
  return { ...listed, settings };
}

/** The adapter of a provider. @throws AppError `validation_failed` listing the known ones */
export function requireAdapter({ adapters }: Pick<App, 'adapters'>, provider: string): CarrierAdapter {
  const adapter = adapters.find((one) => one.provider === provider);
  if (adapter !== undefined) return adapter;
  throw fieldError('carrier', 'choice', { choices: adapters.map((one) => one.provider).join(', ') });
}
