import { carrierCallSeconds } from '../lib/metrics.js';
import type { CarrierAdapter, Outcome } from './contract.js';

type Call<A extends unknown[], T> = (...args: A) => Promise<Outcome<T>>;

/** The adapter with its calls counted and timed. */
export function measured(adapter: CarrierAdapter): CarrierAdapter {
  const carrier = adapter.provider;
  const timed = <A extends unknown[], T>(operation: string, call: Call<A, T>): Call<A, T> => {
    return async (...args) => {
      const end = carrierCallSeconds.startTimer({ carrier, operation });
      try {
        const outcome = await call(...args);
        end({ outcome: outcome.kind });
        return outcome;
      } catch (error) {
        end({ outcome: 'error' });
        throw error;
      }
    };
  };
  const { findByReference, cancel, status, label, pickupPoints, sameDayQuote } = adapter;
  const { shippingPromise, expressEnabled, expressStatus } = adapter;
  return {
    ...adapter,
    book: timed('book', adapter.book),
    ...(findByReference && { findByReference: timed('find', findByReference) }),
    ...(cancel && { cancel: timed('cancel', cancel) }),
    ...(status && { status: { ...status, fetch: timed('status', status.fetch) } }),
    ...(label && { label: timed('label', label) }),
    ...(pickupPoints && { pickupPoints: timed('pickup_points', pickupPoints) }),
    ...(sameDayQuote && {
      sameDayQuote: {
        settlements: timed('settlements', sameDayQuote.settlements),
        quote: timed('quote', sameDayQuote.quote),
      },
    }),
    ...(shippingPromise && { shippingPromise: timed('promise', shippingPromise) }),
    ...(expressEnabled && { expressEnabled: timed('express_enabled', expressEnabled) }),
    ...(expressStatus && { expressStatus: timed('express_status', expressStatus) }),
  };
}
