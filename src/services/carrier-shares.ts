import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierAdapter } from '../carriers/contract.js';
import { RecentMap } from '../lib/recent-map.js';
import { TokenBucket } from '../lib/token-bucket.js';

const LICENSES = { most: 10_000, keepMs: 600_000 };
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
  const ofLicenses = new RecentMap<TokenBucket>(LICENSES);
  const ofCarriers = new Map<string, TokenBucket>();
  return {
    async take({ provider, licenseId }, withinMs) {
      const { requestsPerSecond } = carriers(provider).limits;
      const key = String(licenseId);
      const ofLicense = ofLicenses.get(key) ?? bucketFor(requestsPerSecond * PART_OF_LICENSE);
      ofLicenses.set(key, ofLicense);
      const ofCarrier = ofCarriers.get(provider) ?? bucketFor(requestsPerSecond * PART_OF_CARRIER);
      ofCarriers.set(provider, ofCarrier);
      const first = ofLicense.reserve(withinMs);
      const second = first === null ? null : ofCarrier.reserve(withinMs);
      if (first === null || second === null) return false;
      const waitMs = Math.max(first, second);
      if (waitMs > 0) await delay(waitMs);
      return true;
    },
  };
}

function bucketFor(perSecond: number): TokenBucket {
  return new TokenBucket({ perSecond, burst: Math.max(1, perSecond) });
}
