import { presentCancelled, presentMade } from '../src/api/v1/shipping/presenter.js';
import type { Executor } from '../src/db/database.js';
import { findLicensedShipment } from '../src/db/queries/shipments/coded-shipments.js';
import type { ClaimedDelivery } from '../src/db/queries/webhooks/delivery-sending.js';
import { LICENSE_EVENT } from '../src/domain/events.js';
import type { StoreCall } from '../src/services/express/store-calls.js';

/** The call to a store for an event, with current data; null when the shipment is no longer stored. */
export async function storeCallOf(
  db: Executor,
  { event, shipmentId }: Pick<ClaimedDelivery, 'event' | 'shipmentId'>,
): Promise<StoreCall | null> {
  if (event === LICENSE_EVENT) return { action: 'shipos_license_update', body: {} };
  const shipment = shipmentId === null ? null : await findLicensedShipment(db, shipmentId);
  if (shipment === null) return null;
  return event === 'shipment.cancelled' ? presentCancelled(shipment) : presentMade(shipment);
}
