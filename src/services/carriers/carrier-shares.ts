import { setTimeout as delay } from 'node:timers/promises';
import type { CarrierAdapter } from '../../carriers/contract.js';
import { Rate } from '../../lib/limits/rate.js';

const PROCESS_SHARE = 0.5;
const LICENSE_SHARE = 0.25;

/** Rate limits of an API process for waiting callers, per carrier and per license. */
export function createCarrierShares(carriers: (provider: string) => Pick<CarrierAdapter, 'limits'>) {
  const rates = new Map<string, { ofCarrier: Rate; ofLicenses: Rate }>();
  const ratesOf = (provider: string) => {
    const known = rates.get(provider);
    if (known !== undefined) return known;
    const { requestsPerSecond } = carriers(provider).limits;
    const made = {
      ofCarrier: rateOf(requestsPerSecond * PROCESS_SHARE),
      ofLicenses: rateOf(requestsPerSecond * LICENSE_SHARE),
    };
    rates.set(provider, made);
    return made;
  };
  return {
    /** Takes a request from both limits, waiting up to `withinMs`; false if none becomes free. */
    async take(asking: { provider: string; licenseId: number }, withinMs: number): Promise<boolean> {
      const { provider, licenseId } = asking;
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
