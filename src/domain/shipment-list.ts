/** Sort columns of v2's list of shipments. */
export const SHIPMENT_SORTS = [
  'created_at',
  'updated_at',
  'tracking_code',
  'status',
  'ready_at',
  'collected_at',
] as const;
export type ShipmentSort = (typeof SHIPMENT_SORTS)[number];
