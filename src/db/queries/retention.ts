import type { Database, Executor } from '../database.js';
import { type Selected, shape } from '../selection.js';
import { placeholders } from '../sql.js';
import { batches, carrierAttempts, shipments } from '../tables/index.js';
import { lockOrder } from './creation/order-snapshots.js';
import { UNCLAIMED } from './shipments/attention.js';

const a = carrierAttempts.as('a');
const b = batches.as('b');
const s = shipments.as('s');
const REFUSAL = shape({ id: s.id, uuid: s.uuid, orderId: s.orderId });

/** Rows older than `keepDays`, at most `limit` at a time, oldest first. */
interface OldRows {
  keepDays: number;
  limit: number;
}

/** Deletes the items of old, ended batches, then the batches; returns how many rows. */
export async function deleteOldBatches(db: Database, { keepDays, limit }: OldRows): Promise<number> {
  const batch = await b.id.first(
    db,
    `FROM batches b
     WHERE ${b.createdAt} < NOW(6) - INTERVAL ? DAY AND ${b.updatedAt} < NOW(6) - INTERVAL ? DAY
       AND ${b.pendingCount} = 0
     ORDER BY ${b.createdAt} LIMIT 1`,
    [keepDays, keepDays],
  );
  if (batch === null) return 0;
  return await db.transaction(async (tx) => {
    // A retry changes the same row. A batch retried meanwhile keeps its items.
    const ended = await batches.takeTurn(tx, { id: batch, pendingCount: 0, accountId: undefined });
    if (ended === 0) return 0;
    const items = await tx.run('DELETE FROM batch_items WHERE batch_id = ? ORDER BY id LIMIT ?', [
      batch,
      limit,
    ]);
    if (items.affectedRows === limit) return items.affectedRows;
    const deleted = await tx.run('DELETE FROM batches WHERE id = ?', [batch]);
    return items.affectedRows + deleted.affectedRows;
  });
}

/**
 * Rows that age alone ends: answers of API v1, label addresses (a later request gets a new one), decided mails, drafts of
 * orders with their rows.
 */
const ENDED = {
  response_logs: 'TRUE',
  label_sets: 'TRUE',
  notification_logs: "status <> 'pending'",
  import_drafts: 'TRUE',
};

/** Deletes old rows of a table of {@link ENDED}; returns how many. */
export async function deleteOldRows(
  db: Executor,
  table: keyof typeof ENDED,
  { keepDays, limit }: OldRows,
): Promise<number> {
  const { affectedRows } = await db.run(
    `DELETE FROM ${table}
     WHERE created_at < NOW(6) - INTERVAL ? DAY AND ${ENDED[table]} ORDER BY created_at LIMIT ?`,
    [keepDays, limit],
  );
  return affectedRows;
}

/**
 * Deletes old calls to carriers; returns how many. Those of open bookings stay. Those of refusals are deleted with the
 * refusal: they identify a carrier's refusal and an unclaimed parcel.
 */
export async function deleteOldAttempts(db: Executor, { keepDays, limit }: OldRows): Promise<number> {
  const ids = await a.id.select(
    db,
    `FROM carrier_attempts a
     LEFT JOIN shipments s ON ${s.uuid} = ${a.shipmentUuid} AND ${s.state} IN ('reserved', 'refused')
     WHERE ${a.sentAt} < NOW(6) - INTERVAL ? DAY AND ${s.id} IS NULL ORDER BY ${a.sentAt} LIMIT ?`,
    [keepDays, limit],
  );
  if (ids.length === 0) return 0;
  await db.run(`DELETE FROM carrier_attempts WHERE id IN (${placeholders(ids.length)})`, ids);
  return ids.length;
}

/** A condition on shipments as `s`. The refusal is their last change, maybe long after their creation. */
const OLD_REFUSAL = `${s.state} = 'refused' AND ${s.updatedAt} < NOW(6) - INTERVAL ? DAY AND NOT (${UNCLAIMED})`;

/**
 * Deletes shipments that no carrier took and that were refused long ago, and their orders where nothing else is left of
 * them; returns how many. A parcel booked after it was given up stays until an operator has handled it.
 */
export async function deleteOldRefusals(db: Database, { keepDays, limit }: OldRows): Promise<number> {
  // A shipment is older than its refusal: its age finds it along a key.
  const old = await REFUSAL.select(
    db,
    `FROM shipments s
     WHERE ${s.createdAt} < NOW(6) - INTERVAL ? DAY AND ${OLD_REFUSAL} ORDER BY ${s.createdAt} LIMIT ?`,
    [keepDays, keepDays, limit],
  );
  for (const refusal of old) await db.transaction((tx) => deleteRefusal(tx, refusal, keepDays));
  return old.length;
}

/** The order's lock blocks creations of the same order, which then insert it again. */
async function deleteRefusal(
  tx: Executor,
  { id, uuid, orderId }: Selected<typeof REFUSAL>,
  keepDays: number,
): Promise<void> {
  await lockOrder(tx, orderId);
  // It may be booked by now. The next statement sees what was recorded before the lock; later changes wait.
  await tx.select('SELECT id FROM shipments WHERE id = ? FOR UPDATE', [id]);
  const old = await s.id.first(tx, `FROM shipments s WHERE ${s.id} = ? AND ${OLD_REFUSAL}`, [id, keepDays]);
  if (old === null) return;
  await tx.run('DELETE FROM shipment_events WHERE shipment_id = ?', [id]);
  await tx.run('DELETE FROM carrier_attempts WHERE shipment_uuid = ?', [uuid]);
  await tx.run('DELETE FROM shipments WHERE id = ?', [id]);
  const other = await s.id.first(tx, `FROM shipments s WHERE ${s.orderId} = ? LIMIT 1`, [orderId]);
  if (other !== null) return;
  await tx.run('DELETE FROM order_items WHERE order_id = ?', [orderId]);
  await tx.run('DELETE FROM orders WHERE id = ?', [orderId]);
}
