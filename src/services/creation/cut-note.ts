import type { Creation } from '../../contracts/create-shipment.js';
import type { App } from '../app.js';

/** Whether the shipment's notes exceed the carrier's, so that only the label has them in full. */
export function cutsNote(
  { carriers }: Pick<App, 'carriers'>,
  { carrier, details, order }: Pick<Creation, 'carrier' | 'details' | 'order'>,
): boolean {
  const { note, carrierNote = note, carrierOrderNumber = order.number } = details;
  const told = { orderNumber: carrierOrderNumber, shipment: { ...details, note: carrierNote } };
  return carriers(carrier.provider).cutsNote?.(told) ?? false;
}
