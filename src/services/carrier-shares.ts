import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierAdapter } from '../carriers/contract.js';
import { Rate } from '../lib/limits/rate.js';

/** The part of a carrier's requests a second that one API process may take; workers need the rest. */
const PART_OF_CARRIER = 0.5;
const PART_OF_LICENSE = 0.25;

/** Who is to be asked, and for which license. */
export interface Asking {
  provider: string;
  licenseId: number;
}

/** What one API process may ask carriers for callers who wait: a share for each carrier, and for each license of it. */
export interface CarrierShares {
  /** Takes a request out of both shares, waiting for it at most so long; false where there is none by then. */
  take(asking: Asking, withinMs: number): Promise<boolean>;
}

/** The shares, by the limits of the carriers. */
export function createCarrierShares(
  carriers: (provider: string) => Pick<CarrierAdapter, 'limits'>,
): CarrierShares {
  const rates = new Map<string, { ofCarrier: Rate; ofLicenses: Rate }>();
  const ratesOf = (provider: string) => {
    const known = rates.get(provider);
    if (known !== undefined) return known;
    const { requestsPerSecond } = carriers(provider).limits;
    const made = {
      ofCarrier: rateOf(requestsPerSecond * PART_OF_CARRIER),
      ofLicenses: rateOf(requestsPerSecond * PART_OF_LICENSE),
    };
    rates.set(provider, made);
    return made;
  };
  return {
    async take({ provider, licenseId }, withinMs) {
      const { ofCarrier, ofLicenses } = ratesOf(provider);
      const first = ofLicenses.take(licenseId, withinMs);
      const second = first === null ? null : ofCarrier.take('', withinMs);
      if (first === null || second === null) return false;
      const waitMs = Math.max(first, second);
      if (waitMs > 0) await delay(waitMs);
      return true;
    },
  };
}

function rateOf(perSecond: number): Rate {
  return new Rate({ perSecond, burst: Math.max(1, perSecond) });
}
