import { type BookedParcel, parcelOfCode } from '../../domain/shipment.js';
import { isFinal } from '../../domain/statuses.js';
import type { CarrierAdapter } from '../contract.js';
import { independentSettings } from './config.js';
import { trackingCodeOf } from './mapping.js';

function issue(reference: string): BookedParcel {
  return parcelOfCode(trackingCodeOf(reference));
}

/**
 * The merchant's own couriers, without any remote calls: codes are derived from the reference, people set
 * statuses, labels are the built-in ones.
 */
export const independent: CarrierAdapter = {
  provider: 'independent',
  displayName: 'Independent couriers',
  duplicates: 'replays',
  limits: { requestsPerSecond: 1000, concurrency: 200, settleMs: 0 },
  configSchema: independentSettings,
  canCancel: (status) => !isFinal(status),
  checkBooking: () => ({}),
  book: async ({ reference }) => ({ kind: 'accepted', value: issue(reference) }),
  issue,
  cancel: async () => ({ kind: 'accepted', value: { text: 'Cancelled.' } }),
};
