import type { CarrierAccount, CarrierAdapter } from '../src/carriers/contract.js';
import { HostPlaces } from '../src/lib/limits/host-places.js';
import { Slots } from '../src/lib/limits/slots.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { noPlace } from './next-try.js';
import type { RecordApp } from './shipment-records.js';

/** Runs a call in a slot of its license's host. @throws ApplicationFailure, to be retried, when none is free */
export type InSlot = <T>(work: () => Promise<T>) => Promise<T>;

export type CarrierSlots = (adapter: CarrierAdapter, account: CarrierAccount) => InSlot;

export interface CarrierApp extends RecordApp {
  /** Shared by all of the process's calls for one parcel or license. */
  slotsFor: CarrierSlots;
}

/**
 * Slots for calls on a carrier's queue. Licenses of one carrier may use different hosts; a silent host must not
 * take all slots.
 */
export function createCarrierSlots(): CarrierSlots {
  const carriers = new Map<string, HostPlaces>();
  return ({ provider, limits }, account) => {
    const places = carriers.get(provider) ?? new HostPlaces(limits.concurrency);
    carriers.set(provider, places);
    return async (work) => {
      const leave = places.enter(hostOf(account));
      if (leave === null) throw hostIsSlow();
      try {
        return await work();
      } finally {
        leave();
      }
    };
  };
}

/**
 * Slots for renewing many lists of points, separate from other calls: this process reads megabytes one after
 * the other, which says nothing about the host's speed.
 */
export function createPointSlots(): CarrierSlots {
  const carriers = new Slots({ perKey: LIMITS.points.places });
  const hosts = new Slots({ perKey: LIMITS.points.placesOfHost });
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
  return noPlace('HostIsSlow', text, LIMITS.carriers.noPlaceMs);
}
