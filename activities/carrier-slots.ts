import type { CarrierAccount, CarrierAdapter } from '../src/carriers/contract.js';
import { Slots } from '../src/lib/limits/slots.js';
import { noPlace } from './next-try.js';
import type { RecordApp } from './shipment-recording.js';

const SLOW_HOST_MS = 2000;
const NO_PLACE_MS = 1000;

/** Runs calls in a slot of its license's host. @throws ApplicationFailure, to be retried, when none is free */
export type CarrierSlots = (
  adapter: CarrierAdapter,
  account: CarrierAccount,
) => <T>(work: () => Promise<T>) => Promise<T>;

export interface CarrierApp extends RecordApp {
  /** Shared by all of the process's calls for one parcel or license. */
  slotsFor: CarrierSlots;
}

/**
 * Slots for calls on a carrier's queue. Licenses of one carrier may use different hosts: one that answers may take all
 * slots; one that has kept a call waiting for `slowMs` gets half.
 */
export function createCarrierSlots(slowMs = SLOW_HOST_MS): CarrierSlots {
  const calls = new Slots();
  const slowCalls = new Slots();
  return ({ provider, limits }, account) =>
    async (work) => {
      const host = `${provider} ${hostOf(account)}`;
      const isTaken = calls.taken(host) >= Math.max(1, Math.floor(limits.concurrency / 2));
      if (isTaken && slowCalls.taken(host) > 0) throw hostIsSlow();
      const ends = [calls.take(host)];
      const timer = setTimeout(() => ends.push(slowCalls.take(host)), slowMs);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        for (const end of ends) end();
      }
    };
}

/**
 * Slots for renewing many lists of points, separate from other calls: this process reads megabytes one after
 * the other, which says nothing about the host's speed.
 */
export function createPointSlots(): CarrierSlots {
  const carriers = new Slots({ perKey: 4 });
  const hosts = new Slots({ perKey: 2 });
  return ({ provider }, account) =>
    async (work) => {
      const leaveHost = hosts.tryTake(`${provider} ${hostOf(account)}`);
      const leaveCarrier = leaveHost === null ? null : carriers.tryTake(provider);
      try {
        if (leaveCarrier === null) throw hostIsSlow();
        return await work();
      } finally {
        leaveCarrier?.();
        leaveHost?.();
      }
    };
}

function hostOf({ licenseId, settings }: CarrierAccount): string {
  const { base_url: url } = settings;
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : `license ${licenseId}`;
}

function hostIsSlow(): Error {
  const text = "The calls to the carrier's host that are under way take all its places";
  return noPlace('HostIsSlow', text, NO_PLACE_MS);
}
