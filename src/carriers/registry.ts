import { cargo } from './cargo/index.js';
import type { CarrierAdapter } from './contract.js';
import { getpackage } from './getpackage/index.js';
import { independent } from './independent/index.js';
import { lionwheel } from './lionwheel/index.js';
import { measured } from './measured.js';
import { run } from './run/index.js';
import { usable } from './usable.js';
import { woltDrive } from './wolt-drive/index.js';

const adapters: readonly CarrierAdapter[] = [independent, run, lionwheel, cargo, getpackage, woltDrive];

/** Makes a look-up of adapters by provider, whose calls are measured, and which refuse incomplete settings. It throws an Error for an unknown provider. */
export function adapterFinder(among: readonly CarrierAdapter[]): (provider: string) => CarrierAdapter {
  const byProvider = new Map(among.map((adapter) => [adapter.provider, usable(measured(adapter))]));
  return (provider) => {
    const adapter = byProvider.get(provider);
    if (adapter === undefined) throw new Error(`There is no carrier adapter named ${provider}.`);
    return adapter;
  };
}

/** The adapter of a provider. @throws Error for an unknown provider. */
export const carrierFor = adapterFinder(adapters);

/** All adapters, in display order. */
export function allCarriers(): readonly CarrierAdapter[] {
  return adapters;
}
