import { ApplicationFailure } from '@temporalio/activity';
import type { CarrierAccount, CarrierAdapter } from '../src/carriers/contract.js';
import { HostPlaces } from '../src/lib/host-places.js';

/** A call that finds no place is tried again after this, and leaves its slot to others meanwhile. */
const NO_PLACE_MS = 1000;

/** Runs a call in one of the places of its license's host. @throws ApplicationFailure to be tried again where there is none */
export type InPlace = <T>(work: () => Promise<T>) => Promise<T>;

/** Where a call for a license is run. */
export type CarrierPlaces = (adapter: CarrierAdapter, account: CarrierAccount) => InPlace;

/**
 * Places for the calls of a process that each have a slot of a carrier's queue. Licenses of one carrier can be with
 * different hosts; one that does not answer must not take the slots of all.
 */
export function createCarrierPlaces(): CarrierPlaces {
  const carriers = new Map<string, HostPlaces>();
  return ({ provider, limits }, account) => {
    const places = carriers.get(provider) ?? new HostPlaces(limits.concurrency);
    carriers.set(provider, places);
    return async (work) => {
      const leave = places.enter(hostOf(account));
      if (leave === null) throw noPlace();
      try {
        return await work();
      } finally {
        leave();
      }
    };
  };
}

function hostOf({ licenseId, settings }: CarrierAccount): string {
  const { base_url: url } = settings;
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : `license ${licenseId}`;
}

function noPlace(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'HostIsSlow',
    message: "The carrier's host does not answer the calls that are under way",
    nonRetryable: false,
    nextRetryDelay: NO_PLACE_MS * (1 + Math.random()),
  });
}
