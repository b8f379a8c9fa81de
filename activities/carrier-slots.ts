import type { CarrierAccount, CarrierAdapter } from '../src/carriers/contract.js';
import { HostPlaces } from '../src/lib/limits/host-places.js';
import { Slots } from '../src/lib/limits/slots.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { noPlace } from './next-try.js';
import type { RecordApp } from './shipment-records.js';

/** Runs a call in one of the places of its license's host. @throws ApplicationFailure to be tried again where there is none */
export type InSlot = <T>(work: () => Promise<T>) => Promise<T>;

/** Where a call for a license is run. */
export type CarrierSlots = (adapter: CarrierAdapter, account: CarrierAccount) => InSlot;

/** What the activities that call carriers are given: what they record with, and the carriers' places. */
export interface CarrierApp extends RecordApp {
  /** Shared by all activities of the process that call the carrier for one parcel or license. */
  slotsFor: CarrierSlots;
}

/**
 * Places for the calls of a process that each have a slot of a carrier's queue. Licenses of one carrier can be with
 * different hosts; one that does not answer must not take the slots of all.
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
 * Places for the renewal of many pickup points. They are few and count for nothing else: such a list is megabytes that
 * this process reads one after the other, which says nothing of how fast its host is.
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
