import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';

/** Search attributes for operators in the Temporal UI, without personal data. None can change after the run. */
export const SEARCH_ATTRIBUTES = {
  accountId: defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD),
  licenseId: defineSearchAttributeKey('LicenseId', SearchAttributeType.KEYWORD),
  carrier: defineSearchAttributeKey('Carrier', SearchAttributeType.KEYWORD),
  orderId: defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD),
  trackingCode: defineSearchAttributeKey('TrackingCode', SearchAttributeType.KEYWORD),
  shipmentId: defineSearchAttributeKey('ShipmentId', SearchAttributeType.KEYWORD),
  batchId: defineSearchAttributeKey('BatchId', SearchAttributeType.KEYWORD),
  bookingState: defineSearchAttributeKey('BookingState', SearchAttributeType.KEYWORD),
} as const;

/** Search attributes of a run. Numbers become texts; null and undefined are left out. */
export function attributesOf<Name extends keyof typeof SEARCH_ATTRIBUTES>(
  values: Record<Name, string | number | null | undefined>,
): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [];
  for (const name in values) {
    const value = values[name] ?? null;
    if (value !== null) pairs.push({ key: SEARCH_ATTRIBUTES[name], value: String(value) });
  }
  return pairs;
}

/**
 * Outcome of a creation, kept in `BookingState`; absent while it runs. The parcel's status is not included: it
 * changes after the run has closed.
 */
export type BookingState = 'needs_attention' | 'booked' | 'refused' | 'cancelled';
