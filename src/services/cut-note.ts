import type { Creation } from '../contracts/create-shipment.js';
import type { App } from './app.js';

/** Whether the carrier's notes cannot hold all that it is told of the shipment; then the label alone has it. */
export function cutsNote(
  { carriers }: Pick<App, 'carriers'>,
  { carrier, details, order }: Pick<Creation, 'carrier' | 'details' | 'order'>,
): boolean {
  const { note, carrierNote = note, carrierOrderNumber = order.number } = details;
  const told = { orderNumber: carrierOrderNumber, shipment: { ...details, note: carrierNote } };
  return carriers(carrier.provider).cutsNote?.(told) ?? false;
}
