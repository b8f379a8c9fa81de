import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** What operators filter runs by in the Temporal UI. None holds personal data, and none says what may change later. */
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

/**
 * What a run came to, kept in `BookingState`. A creation has none while it is under way. The parcel's own status is not
 * here: it goes on changing when the run is closed.
 */
export type BookingState = 'needs_attention' | 'booked' | 'refused' | 'cancelled';
