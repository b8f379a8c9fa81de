import type { IdempotencyRef } from '../../../contracts/create-shipment.js';
import type { BatchItemError, BatchRecord } from '../../../domain/batch.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { Database, Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selection, shape } from '../../selection.js';
import { batches } from '../../tables/index.js';
import { shipmentOfKey, takeKey } from '../creation/idempotency.js';
import { allOf, isOneOf, type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';
import { insertBatchItems, type NewBatchItem } from './batch-items.js';

const ITEM_OVERHEAD_BYTES = 512;

/** A new batch, with its idempotency key and that one's answer. */
interface NewBatch {
  /** The insert sets `id`. */
  batch: BatchRecord;
  items: readonly NewBatchItem[];
  idempotency: IdempotencyRef;
  answer: { status: number; body: string };
}

/** The decision of the unique key: `stored`, or the result of an earlier request. */
type BatchReservation =
  | { kind: 'stored' }
  | { kind: 'replayed'; uuid: string; status: number; body: string }
  | { kind: 'key_conflict'; shipmentUuid: string | undefined };

/** The account has reached its limit of open batches. */
export class TooManyOpenBatches extends Error {}

/** The account has reached its daily limit of stored bytes. */
export class TooManyBatchBytes extends Error {}

/**
 * Stores the key with its answer, the batch and its items, all or nothing; or finds what holds the key.
 * @throws TooManyOpenBatches, TooManyBatchBytes
 */
export async function insertBatch(db: Database, given: NewBatch): Promise<BatchReservation> {
  const { id: _id, summary, ...batch } = given.batch;
  const { total, pending: pendingCount, failed: failedCount } = summary;
  return await db.transaction(async (tx) => {
    const met = await reserveKey(tx, given);
    if (met !== undefined) return met;
    await refuseBeyondCap(tx, batch.accountId);
    await refuseBeyondDay(tx, batch.accountId);
    const batchId = await batches.insert(tx, { ...batch, total, pendingCount, failedCount });
    await insertBatchItems(tx, batchId, given.items, batch.createdAt);
    return { kind: 'stored' };
  });
}

/**
 * Concurrent batches may both take the last place: the cap is a guard, not an exact limit. Open batches are few, an
 * account's batches may be many.
 * @throws TooManyOpenBatches when the limit is reached
 */
export async function refuseBeyondCap(tx: Executor, accountId: number): Promise<void> {
  const open = await tx.select(
    'SELECT id FROM batches FORCE INDEX (batches_open) WHERE account_id = ? AND pending_count > 0 LIMIT ?',
    [accountId, LIMITS.batches.openOfAccount],
  );
  if (open.length === LIMITS.batches.openOfAccount) throw new TooManyOpenBatches();
}

/**
 * Concurrent batches may exceed the limit by their size.
 * @throws TooManyBatchBytes when the daily limit is reached
 */
export async function refuseBeyondDay(tx: Executor, accountId: number): Promise<void> {
  const full = await tx.select(
    `SELECT 1 FROM batches FORCE INDEX (batches_day) WHERE account_id = ? AND created_at >= UTC_DATE()
     HAVING SUM(payload_bytes + total * ${ITEM_OVERHEAD_BYTES}) >= ?`,
    [accountId, LIMITS.batches.bytesOfDay],
  );
  if (full.length > 0) throw new TooManyBatchBytes();
}

/** Undefined when the key was taken now. All routes share one key space, so the row may be a shipment's. */
async function reserveKey(tx: Executor, given: NewBatch): Promise<BatchReservation | undefined> {
  const { idempotency } = given;
  const { accountId, uuid, createdAt } = given.batch;
  const answer = { ...given.answer, at: createdAt };
  const stored = await takeKey(tx, { accountId, idempotency, uuid, answer });
  if (stored === undefined) return undefined;
  const { status, body, shipmentUuid, fingerprint } = stored;
  if (status === null || fingerprint !== idempotency.fingerprint) {
    return { kind: 'key_conflict', shipmentUuid: shipmentOfKey(stored) };
  }
  return { kind: 'replayed', uuid: shipmentUuid, status, body: body ?? '' };
}

const b = batches.as('batches');
const BATCH: Selection<BatchRecord> = shape({
  id: b.id,
  uuid: b.uuid,
  accountId: b.accountId,
  licenseId: b.licenseId,
  licenseKey: b.licenseKey,
  summary: shape({ total: b.total, created: b.createdCount, failed: b.failedCount, pending: b.pendingCount }),
  payloadBytes: b.payloadBytes,
  cancelledAt: b.cancelledAt,
  createdAt: b.createdAt,
  updatedAt: b.updatedAt,
});

/** An account's batch; null when there is none. */
export async function findBatch(
  db: Executor,
  { accountId, uuid }: { accountId: number; uuid: string },
): Promise<BatchRecord | null> {
  return await batches.findOne(db, BATCH, { accountId, uuid });
}

/** Batches newest first: rows of a page as `selectPage` returns them. */
export async function listBatches(
  db: Executor,
  args: KeysetPage & { accountId: number; licenseIds: readonly number[] },
): Promise<BatchRecord[]> {
  const query: KeysetQuery = {
    from: 'batches',
    where: [[`${b.accountId} = ?`, args.accountId], isOneOf(`${b.licenseId}`, args.licenseIds)],
    id: `${b.id}`,
  };
  return await selectPage(db, BATCH, query, args);
}

/** The newest batches of an account or of all, 200 at most; `open`: those with pending items. For the operator. */
export async function listLatestBatches(
  db: Executor,
  filter: { accountId?: number | undefined; uuid?: string; open?: boolean },
): Promise<BatchRecord[]> {
  const { sql, params } = allOf([
    ['TRUE'],
    [`${b.accountId} = ?`, filter.accountId],
    [`${b.uuid} = ?`, filter.uuid],
    ...(filter.open ? [[`${b.pendingCount} > 0`] as const] : []),
  ]);
  return await BATCH.select(db, `FROM batches WHERE ${sql} ORDER BY ${b.id} DESC LIMIT 200`, params);
}

/** Numbers (from 0) of the chunks with pending items, ascending. */
export async function pendingChunks(db: Executor, batchId: number): Promise<number[]> {
  const chunk = expression('FLOOR(position / ?)', int);
  const rows = await db.select(
    `SELECT DISTINCT ${chunk.list} FROM batch_items
     WHERE batch_id = ? AND status = 'pending' ORDER BY 1`,
    [LIMITS.batches.chunk, batchId],
  );
  return rows.map((row) => chunk.read(row));
}

/** Fails every item that is not started. Idempotent. False when there is no such batch. */
export async function cancelBatch(
  db: Database,
  args: { accountId: number; uuid: string; error: BatchItemError },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const batchId = (await lockBatch(tx, args))?.id;
    if (batchId === undefined) return false;
    const { affectedRows: failed } = await tx.run(
      `UPDATE batch_items SET status = 'failed', error = ?
       WHERE batch_id = ? AND status = 'pending' AND started_at IS NULL`,
      [JSON.stringify(args.error), batchId],
    );
    await tx.run(
      `UPDATE batches SET cancelled_at = NOW(6), failed_count = failed_count + ?, pending_count = pending_count - ?
       WHERE id = ? AND cancelled_at IS NULL AND pending_count > 0`,
      [failed, failed, batchId],
    );
    return true;
  });
}

/**
 * Makes the failed items pending again and returns how many; null when there is no such batch. Unlinks their refused
 * shipments.
 * @throws TooManyOpenBatches when reopening the batch would exceed the limit
 */
export async function requeueFailed(
  db: Database,
  args: { accountId: number; uuid: string },
): Promise<number | null> {
  return await db.transaction(async (tx) => {
    const batch = await lockBatch(tx, args);
    if (batch === null) return null;
    const batchId = batch.id;
    if (batch.pendingCount === 0 && batch.failedCount > 0) await refuseBeyondCap(tx, args.accountId);
    // A body that was too large to keep cannot be retried.
    const { affectedRows: requeued } = await tx.run(
      `UPDATE batch_items SET status = 'pending', error = NULL, started_at = NULL,
         shipment_uuid = IF(EXISTS (SELECT 1 FROM shipments s WHERE s.uuid = batch_items.shipment_uuid
           AND s.state = 'refused'), NULL, shipment_uuid)
       WHERE batch_id = ? AND status = 'failed' AND payload IS NOT NULL`,
      [batchId],
    );
    if (requeued === 0) return 0;
    await tx.run(
      `UPDATE batches SET cancelled_at = NULL, failed_count = failed_count - ?, pending_count = pending_count + ?
       WHERE id = ?`,
      [requeued, requeued, batchId],
    );
    return requeued;
  });
}

/** Locks the batch's row. Take this lock before changing items and counts together. */
async function lockBatch(tx: Executor, { accountId, uuid }: { accountId: number; uuid: string }) {
  const columns = batches.pick('id', 'pendingCount', 'failedCount');
  return await batches.findOne(tx, columns, { accountId, uuid }, { lock: true });
}

/** Batches of all accounts with pending items and ids above `afterId`, for the sweep; by ascending id. */
export async function listOpenBatches(
  db: Executor,
  args: { afterId: number; limit: number },
): Promise<BatchRecord[]> {
  return await BATCH.select(
    db,
    `FROM batches WHERE ${b.pendingCount} > 0 AND ${b.id} > ? ORDER BY ${b.id} LIMIT ?`,
    [args.afterId, args.limit],
  );
}
