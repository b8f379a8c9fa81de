import type { Database } from '../../src/db/database.js';

const KEYS_OF = `shipment_uuid IN (SELECT s.uuid FROM shipments s JOIN orders o ON o.id = s.order_id
  WHERE o.order_id = ?)`;

/** Remaining seconds of the order's stored answer; null without one. */
export async function keptFor(db: Database, orderId: string): Promise<number | null> {
  const [row] = await db.select(
    `SELECT TIMESTAMPDIFF(SECOND, NOW(6), expires_at) AS seconds FROM idempotency_keys
     WHERE response_status IS NOT NULL AND ${KEYS_OF}`,
    [orderId],
  );
  return row === undefined ? null : Number(row.seconds);
}

/** Ages the order's key by `hours`. */
export async function letPass(db: Database, hours: number, orderId: string): Promise<void> {
  await db.run(
    `UPDATE idempotency_keys SET expires_at = expires_at - INTERVAL ? HOUR, finished_at = finished_at - INTERVAL ? HOUR,
       created_at = created_at - INTERVAL ? HOUR WHERE ${KEYS_OF}`,
    [hours, hours, hours, orderId],
  );
}
