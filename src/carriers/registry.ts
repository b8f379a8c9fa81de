import { cargo } from './cargo/index.js';
import type { CarrierAdapter } from './contract.js';
import { getpackage } from './getpackage/index.js';
import { independent } from './independent/index.js';
import { lionwheel } from './lionwheel/index.js';
import { run } from './run/index.js';
import { woltDrive } from './wolt-drive/index.js';

const adapters: readonly CarrierAdapter[] = [independent, run, lionwheel, cargo, getpackage, woltDrive];

/** Looks adapters up among these by provider. The look-up throws an Error when there is none by that name. */
export function adapterFinder(among: readonly CarrierAdapter[]): (provider: string) => CarrierAdapter {
  const byProvider = new Map(among.map((adapter) => [adapter.provider, adapter]));
  return (provider) => {
    const adapter = byProvider.get(provider);
    if (adapter === undefined) throw new Error(`There is no carrier adapter named ${provider}.`);
    return adapter;
  };
}

/** The adapter of a provider. @throws Error when there is none by that name. */
export const carrierFor = adapterFinder(adapters);

/** All adapters, in the order in which they are listed to people. */
export function allCarriers(): readonly CarrierAdapter[] {
  return adapters;
}
