import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** What operators filter runs by in the Temporal UI. None holds personal data. */
export const SEARCH_ATTRIBUTES = {
  accountId: defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD),
  licenseId: defineSearchAttributeKey('LicenseId', SearchAttributeType.KEYWORD),
  carrier: defineSearchAttributeKey('Carrier', SearchAttributeType.KEYWORD),
  orderId: defineSearchAttributeKey('OrderId', SearchAttributeType.KEYWORD),
  trackingCode: defineSearchAttributeKey('TrackingCode', SearchAttributeType.KEYWORD),
  shipmentId: defineSearchAttributeKey('ShipmentId', SearchAttributeType.KEYWORD),
  batchId: defineSearchAttributeKey('BatchId', SearchAttributeType.KEYWORD),
  shipmentStatus: defineSearchAttributeKey('ShipmentStatus', SearchAttributeType.KEYWORD),
} as const;
