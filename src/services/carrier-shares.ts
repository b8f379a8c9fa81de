import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierAdapter } from '../carriers/contract.js';
import { Rate } from '../lib/limits/rate.js';
import { LIMITS } from '../lib/limits/values.js';

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
      ofCarrier: rateOf(requestsPerSecond * LIMITS.carriers.processShare),
      ofLicenses: rateOf(requestsPerSecond * LIMITS.carriers.licenseShare),
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
