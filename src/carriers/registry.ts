import type { CarrierAdapter } from './contract.js';
import { independent } from './independent/index.js';
import { run } from './run/index.js';

const adapters: readonly CarrierAdapter[] = [independent, run];
const byProvider = new Map(adapters.map((adapter) => [adapter.provider, adapter]));

/** The adapter of a provider. @throws Error when there is none by that name. */
export function carrierFor(provider: string): CarrierAdapter {
  const adapter = byProvider.get(provider);
  if (adapter === undefined) throw new Error(`There is no carrier adapter named ${provider}.`);
  return adapter;
}

/** All adapters, in the order in which they are listed to people. */
export function allCarriers(): readonly CarrierAdapter[] {
  return adapters;
}
