import type { Database } from '../../src/db/database.js';

/** Deletes what a creation wrote, as a database forgets that fails over to a replica which missed it. */
export async function forget(db: Database, uuid: string): Promise<void> {
  const [shipment] = await db.select('SELECT id, order_id FROM shipments WHERE uuid = ?', [uuid]);
  if (shipment === undefined) throw new Error(`there is no shipment ${uuid}`);
  const { id, order_id: orderId } = shipment;
  await db.transaction(async (tx) => {
    await tx.run('DELETE FROM shipment_events WHERE shipment_id = ?', [Number(id)]);
    await tx.run('DELETE FROM webhook_deliveries WHERE shipment_id = ?', [Number(id)]);
    await tx.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]);
    await tx.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [uuid]);
    await tx.run('DELETE FROM shipments WHERE id = ?', [Number(id)]);
    const kept = await tx.select('SELECT id FROM shipments WHERE order_id = ?', [Number(orderId)]);
    if (kept.length > 0) return;
    await tx.run('DELETE FROM order_items WHERE order_id = ?', [Number(orderId)]);
    await tx.run('DELETE FROM orders WHERE id = ?', [Number(orderId)]);
  });
}

/** Takes back what came after the reservation, which the replica has. */
export async function forgetRecording(db: Database, uuid: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run(
      'DELETE e FROM shipment_events e JOIN shipments s ON s.id = e.shipment_id WHERE s.uuid = ?',
      [uuid],
    );
    await tx.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]);
    await tx.run(
      'UPDATE idempotency_keys SET response_status = NULL, response_body = NULL WHERE shipment_uuid = ?',
      [uuid],
    );
    await tx.run(
      "UPDATE shipments SET state = 'reserved', status_code = 'pending', tracking_code = NULL WHERE uuid = ?",
      [uuid],
    );
  });
}
