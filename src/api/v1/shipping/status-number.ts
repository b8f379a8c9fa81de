import type { ShipmentRecord, StatusEvent } from '../../../domain/shipment.js';
import type { StatusCode } from '../../../domain/statuses.js';

/** Our statuses in the numbering of the stores' plugin. */
const NUMBERS: Readonly<Record<StatusCode, string>> = {
  pending: '12',
  needs_attention: '12',
  created: '1',
  collected: '2',
  in_transit: '2',
  at_pickup_point: '12',
  out_for_delivery: '2',
  delivery_failed: '12',
  returning: '2',
  delivered: '3',
  returned: '5',
  cancelled: '8',
  lost: '12',
};
const COLLECTED_FROM_CUSTOMER = '4';
/** A yes/no field of a carrier's reply, not a status code. */
const FLAG = /_yn$/;

/** The carrier's own code of the current status, else the plugin's number. */
export function carrierStatusCode(
  { status, serviceType }: Pick<ShipmentRecord, 'status' | 'serviceType'>,
  events: readonly StatusEvent[],
): string {
  const sent = events.findLast(({ code }) => code === status.code)?.carrierCode ?? null;
  if (sent !== null && !FLAG.test(sent)) return sent;
  const isFromCustomer = status.code === 'collected' && serviceType === 2;
  return isFromCustomer ? COLLECTED_FROM_CUSTOMER : NUMBERS[status.code];
}
