import type { StoredCreation } from '../../contracts/create-shipment.js';
import { textAt } from '../../lib/text-at.js';
import type { Executor } from '../database.js';
import { bool, bytes, int, jsonObject, text } from '../row.js';
import { getShipment } from './shipments.js';

/** What the creation of a reservation was given; null when it is no reservation, or its order was not kept. */
export async function findReservedCreation(db: Executor, uuid: string): Promise<StoredCreation | null> {
  const [row] = await db.select(
    `SELECT s.workflow_id, s.details, s.pending_order, l.multiple_shipment, k.api, k.key_hash, k.fingerprint,
       TIMESTAMPDIFF(SECOND, k.created_at, k.expires_at) AS keep_for
     FROM shipments s
     JOIN idempotency_keys k ON k.shipment_uuid = s.uuid AND k.response_status IS NULL
     JOIN licenses l ON l.id = s.license_id
     WHERE s.uuid = ? AND s.state = 'reserved' AND s.pending_order IS NOT NULL`,
    [uuid],
  );
  if (row === undefined) return null;
  const { accountId, licenseId, carrier, recipient, order, externalId } = await getShipment(db, uuid);
  const snapshot = jsonObject(row, 'pending_order');
  return {
    workflowId: text(row, 'workflow_id'),
    creation: {
      accountId,
      licenseId,
      carrier,
      idempotency: {
        api: text(row, 'api') === 'v1' ? 'v1' : 'v2',
        keyHash: bytes(row, 'key_hash').toString('hex'),
        fingerprint: bytes(row, 'fingerprint').toString('hex'),
        keepForSeconds: int(row, 'keep_for'),
      },
      multipleShipment: bool(row, 'multiple_shipment'),
      shipmentUuid: uuid,
      details: jsonObject(row, 'details'),
      recipient,
      // The row of an order that was there before has an earlier creation's number.
      order: { id: order.id, number: textAt(snapshot, 'number') ?? order.number, externalId },
    },
    order: snapshot,
  };
}
