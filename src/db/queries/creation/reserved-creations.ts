import type { StoredCreation } from '../../../contracts/create-shipment.js';
import { stringAt } from '../../../lib/json.js';
import type { Executor } from '../../database.js';
import { int, jsonObject } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { idempotencyKeys, licenses, shipments } from '../../tables/index.js';
import { getShipment } from '../shipments/shipments.js';

const s = shipments.as('s');
const k = idempotencyKeys.as('k');
const RESERVED = shape({
  workflowId: s.workflowId,
  order: expression('s.pending_order', jsonObject),
  details: s.details,
  multipleShipment: licenses.as('l').multipleShipment,
  idempotency: shape({
    api: k.api,
    keyHash: k.keyHash.map((hash) => hash.toString('hex')),
    fingerprint: k.fingerprint.map((hash) => hash.toString('hex')),
    keepForSeconds: expression('TIMESTAMPDIFF(SECOND, k.created_at, k.expires_at)', int),
  }),
});

/** The input of a reservation's creation; null when it is no reservation, or its order was not kept. */
export async function findReservedCreation(db: Executor, uuid: string): Promise<StoredCreation | null> {
  const found = await RESERVED.first(
    db,
    `FROM shipments s
     JOIN idempotency_keys k ON k.shipment_uuid = s.uuid AND k.response_status IS NULL
     JOIN licenses l ON l.id = s.license_id
     WHERE s.uuid = ? AND s.state = 'reserved' AND s.pending_order IS NOT NULL`,
    [uuid],
  );
  if (found === null) return null;
  const { accountId, licenseId, carrier, recipient, order, externalId } = await getShipment(db, uuid);
  const { workflowId, order: snapshot, ...creation } = found;
  return {
    workflowId,
    creation: {
      ...creation,
      accountId,
      licenseId,
      carrier,
      shipmentUuid: uuid,
      recipient,
      // The row of an existing order has the number of an earlier creation.
      order: { id: order.id, number: stringAt(snapshot, 'number') ?? order.number, externalId },
    },
    order: snapshot,
  };
}
