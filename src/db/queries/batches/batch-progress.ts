import type { BatchItemError } from '../../../domain/batch.js';
import { isoToSql, nowIso } from '../../../lib/time.js';
import type { Database, Executor } from '../../database.js';
import { bool } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { batches, batchItems, carrierAttempts, licenses, orders, shipments } from '../../tables/index.js';

const i = batchItems.as('i');
const b = batches.as('b');
const CLAIMED = shape({
  id: i.id,
  position: i.position,
  payload: i.payload.map((payload) => payload ?? 'null'),
  fingerprint: i.fingerprint.map((hash) => hash.toString('hex')),
  fresh: expression(`${i.startedAt} IS NULL`, bool),
  /** The shipment of an earlier try, in any state; null when none is known. */
  shipmentUuid: i.shipmentUuid,
});

/**
 * An item that is now started. `fresh`: it was not started before. `startedAt`: DATETIME(6) text; the next claim of the
 * item writes another value.
 */
export type ClaimedItem = Selected<typeof CLAIMED> & { startedAt: string };

/**
 * Marks the next pending items after a position as started, and returns them, including those started before: their
 * creation may be lost. A cancellation sees either the mark or no item.
 */
export async function claimItems(
  db: Database,
  args: { batchId: number; after: number; to: number; limit: number },
): Promise<ClaimedItem[]> {
  return await db.transaction(async (tx) => {
    const rows = await CLAIMED.select(
      tx,
      `FROM batch_items i
       WHERE ${i.batchId} = ? AND ${i.position} > ? AND ${i.position} <= ? AND ${i.status} = 'pending'
       ORDER BY ${i.position} LIMIT ? FOR UPDATE`,
      [args.batchId, args.after, args.to, args.limit],
    );
    const startedAt = isoToSql(nowIso());
    if (rows.length > 0) {
      await tx.run(`UPDATE batch_items SET started_at = ? WHERE id IN (${placeholders(rows.length)})`, [
        startedAt,
        ...rows.map(({ id }) => id),
      ]);
    }
    return rows.map((row) => ({ ...row, startedAt }));
  });
}

const a = carrierAttempts.as('a');
const l = licenses.as('l');
const o = orders.as('o');
const s = shipments.as('s');
const OF_ITEM = shape({
  uuid: s.uuid,
  state: s.state,
  /** The refusal's. */
  reason: s.statusDescription,
  isAsked: expression(`EXISTS (SELECT 1 FROM carrier_attempts a WHERE ${a.shipmentUuid} = ${s.uuid})`, bool),
});

/** A shipment of an item's creation. `isAsked`: the carrier was. */
export type ItemShipment = Selected<typeof OF_ITEM>;

/**
 * The shipment that the item has noted, and those that its creation has made or reserved since its batch was stored, also
 * when the creation's key is gone; oldest first. `since`: ISO 8601 UTC.
 */
export async function listItemShipments(
  db: Executor,
  args: { accountId: number; orderId: string; workflowId: string; noted: string | null; since: string },
): Promise<ItemShipment[]> {
  const since = isoToSql(args.since);
  // Clocks may differ by a minute. A live shipment that the same body made in that minute is the item's too.
  return await OF_ITEM.select(
    db,
    `FROM licenses l JOIN orders o ON ${o.licenseId} = ${l.id} JOIN shipments s ON ${s.orderId} = ${o.id}
     WHERE ${l.accountId} = ? AND ${o.orderId} = ? AND ${s.workflowId} = ?
       AND (${s.uuid} = ? OR ${s.state} = 'reserved' OR ${s.createdAt} >= ?
         OR (${s.isActive} AND ${s.createdAt} >= ? - INTERVAL 1 MINUTE))
     ORDER BY ${s.id}`,
    [args.accountId, args.orderId, args.workflowId, args.noted, since, since],
  );
}

/**
 * The outcome of one item. `reserved`: still pending, with a known shipment. `stopped`: the creation was not requested
 * after the claim. That counts only while the batch is cancelled and the item has not been claimed again, since the new
 * claimer may be requesting it.
 */
export type ItemOutcome =
  | { kind: 'created'; shipmentUuid: string }
  | { kind: 'reserved'; shipmentUuid: string }
  | { kind: 'failed'; error: BatchItemError }
  | { kind: 'stopped'; startedAt: string; error: BatchItemError };
export type ItemResult = { id: number } & ItemOutcome;

/** Writes outcomes of pending items together with the batch's counts; returns how many items were updated. */
export async function recordItems(
  db: Database,
  batchId: number,
  results: readonly ItemResult[],
): Promise<number> {
  const those = (kind: ItemResult['kind']) => results.filter((one) => one.kind === kind);
  return await db.transaction(async (tx) => {
    const cancelled = expression(`${b.cancelledAt} IS NOT NULL`, bool);
    const isCancelled = await cancelled.first(tx, `FROM batches b WHERE ${b.id} = ? FOR UPDATE`, [batchId]);
    await settle(tx, batchId, 'shipment_uuid', those('reserved'));
    const isCreated = await settle(
      tx,
      batchId,
      `status = 'created', error = NULL, shipment_uuid`,
      those('created'),
    );
    const ends = isCancelled ? [...those('failed'), ...those('stopped')] : those('failed');
    const isFailed = await settle(tx, batchId, `status = 'failed', error`, ends);
    if (isCreated + isFailed > 0) {
      await tx.run(
        `UPDATE batches SET created_count = created_count + ?, failed_count = failed_count + ?,
           pending_count = pending_count - ? WHERE id = ?`,
        [isCreated, isFailed, isCreated + isFailed, batchId],
      );
    }
    return isCreated + isFailed;
  });
}

/** Writes the shipment or error of each item; a stopped one only under its claim. */
async function settle(
  tx: Executor,
  batchId: number,
  assignment: string,
  items: readonly ItemResult[],
): Promise<number> {
  if (items.length === 0) return 0;
  const claims = items.filter((item) => item.kind === 'stopped');
  const held =
    claims.length === 0
      ? ''
      : `AND started_at = CASE id ${claims.map(() => 'WHEN ? THEN ?').join(' ')} ELSE started_at END`;
  const { affectedRows } = await tx.run(
    `UPDATE batch_items SET ${assignment} = CASE id ${items.map(() => 'WHEN ? THEN ?').join(' ')} END
     WHERE batch_id = ? AND status = 'pending' AND id IN (${placeholders(items.length)}) ${held}`,
    [
      ...items.flatMap((item) => [item.id, 'error' in item ? JSON.stringify(item.error) : item.shipmentUuid]),
      batchId,
      ...items.map(({ id }) => id),
      ...claims.flatMap(({ id, startedAt }) => [id, startedAt]),
    ],
  );
  return affectedRows;
}
