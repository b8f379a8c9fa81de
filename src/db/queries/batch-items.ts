import type { BatchItemError, BatchItemRecord, BatchItemStatus } from '../../domain/batch.js';
import type { FieldErrors } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/shipment.js';
import { isoToSql, nowIso } from '../../lib/time.js';
import type { Database, Executor, SqlValue } from '../database.js';
import { bool, int } from '../row.js';
import { expression, type Selected, type Selection, shape } from '../selection.js';
import { placeholders } from '../sql.js';
import { batchItems } from '../tables/batch-items.js';
import { shipments } from '../tables/shipments.js';
import { allOf, type Condition, isOneOf, type KeysetPage, type KeysetQuery, selectPage } from './keyset.js';

/** A statement stays far below the smallest packet that servers take by default (16 MiB). */
const INSERT_BYTES = 2 * 1024 * 1024;
const INSERT_ROWS = 500;

/** An item to be stored; with an `error` it is failed from the start. */
export interface NewBatchItem {
  /** JSON text; null when it is too large to keep. */
  payload: string | null;
  bytes: number;
  error: BatchItemError | null;
}

/** Inserts the items of a new batch in their order. `at`: DATETIME(6) text. */
export async function insertBatchItems(
  tx: Executor,
  batchId: number,
  items: readonly NewBatchItem[],
  at: string,
): Promise<void> {
  let rows: SqlValue[][] = [];
  let bytes = 0;
  const flush = async () => {
    if (rows.length === 0) return;
    await tx.run(
      `INSERT INTO batch_items (batch_id, position, status, payload, error, created_at, updated_at)
       VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
      rows.flat(),
    );
    rows = [];
    bytes = 0;
  };
  for (const [position, item] of items.entries()) {
    if (rows.length === INSERT_ROWS || bytes + item.bytes > INSERT_BYTES) await flush();
    const { payload, error } = item;
    const status = error === null ? 'pending' : 'failed';
    rows.push([batchId, position, status, payload, error === null ? null : JSON.stringify(error), at, at]);
    bytes += item.bytes;
  }
  await flush();
}

const i = batchItems.as('i');
const ITEM: Selection<BatchItemRecord> = shape({
  id: i.id,
  batchId: i.batchId,
  position: i.position,
  status: i.status,
  shipmentUuid: i.shipmentUuid,
  payload: i.payload,
  error: i.error.map(toError),
  createdAt: i.createdAt,
  updatedAt: i.updatedAt,
});
const SIZE = shape({ id: i.id, bytes: expression('COALESCE(LENGTH(i.payload), 0)', int) });

/** Which items of an account's batch. */
interface ItemFilter {
  accountId: number;
  batchId: number;
  status?: BatchItemStatus | undefined;
}

/**
 * A batch's items in their order, and how many bytes their bodies have: rows of a page as `selectPage` gives them,
 * `after` and `before` being item ids.
 */
export async function listBatchItemSizes(
  db: Executor,
  args: KeysetPage & ItemFilter,
): Promise<{ id: number; bytes: number }[]> {
  const key = args.status === undefined ? 'batch_items_list' : 'batch_items_status';
  const query = {
    select: `SELECT ${SIZE.list} ${itemsAlong(key)}`,
    where: itemsWhere(args),
    id: 'i.id',
    order: 'ASC',
  } satisfies KeysetQuery;
  const rows = await selectPage(db, query, args);
  return rows.map((row) => SIZE.read(row));
}

/** Those of these items that the filter still lets through, in their order. */
export async function readBatchItems(
  db: Executor,
  args: ItemFilter & { ids: readonly number[] },
): Promise<BatchItemRecord[]> {
  const { sql, params } = allOf([...itemsWhere(args), isOneOf('i.id', args.ids)]);
  return await ITEM.select(db, `${itemsAlong('PRIMARY')} WHERE ${sql} ORDER BY i.id`, params);
}

/**
 * Items with their batches, read along the key that gives the list's order: a server may take another for as good, and
 * then sorts all items of the batch with their bodies.
 */
function itemsAlong(key: string): string {
  return `FROM batch_items i FORCE INDEX (${key}) JOIN batches b ON b.id = i.batch_id`;
}

function itemsWhere({ accountId, batchId, status }: ItemFilter): Condition[] {
  return [
    ['b.account_id = ?', accountId],
    ['i.batch_id = ?', batchId],
    ['i.status = ?', status],
  ];
}

/** All items of these batches of an account, in their order, by batch id. */
export async function itemsOfBatches(
  db: Executor,
  args: { accountId: number; batchIds: readonly number[] },
): Promise<Map<number, BatchItemRecord[]>> {
  const found = new Map<number, BatchItemRecord[]>(args.batchIds.map((id) => [id, []]));
  // One batch a statement: sorting texts of many batches would spill to disk.
  for (const [batchId, items] of found) {
    const { sql, params } = allOf(itemsWhere({ accountId: args.accountId, batchId }));
    const tail = `${itemsAlong('batch_items_position')} WHERE ${sql} ORDER BY i.position`;
    items.push(...(await ITEM.select(db, tail, params)));
  }
  return found;
}

const CLAIMED = shape({
  id: i.id,
  position: i.position,
  payload: i.payload.map((payload) => payload ?? 'null'),
  fresh: expression('i.started_at IS NULL', bool),
  /** Of an earlier try, whatever became of it since; null where none is known. */
  shipmentUuid: i.shipmentUuid,
});

/**
 * An item that is now started. `fresh`: nobody had started it before. `startedAt`: DATETIME(6) text; whoever claims the
 * item next writes another.
 */
export type ClaimedItem = Selected<typeof CLAIMED> & { startedAt: string };

/**
 * Marks the next pending items after a position as started, and gives them; those that were started before are among
 * them, since their creation may have got lost. A cancellation meets either the mark or no item.
 */
export async function claimItems(
  db: Database,
  args: { batchId: number; after: number; to: number; limit: number },
): Promise<ClaimedItem[]> {
  return await db.transaction(async (tx) => {
    const rows = await CLAIMED.select(
      tx,
      `FROM batch_items i
       WHERE i.batch_id = ? AND i.position > ? AND i.position <= ? AND i.status = 'pending'
       ORDER BY i.position LIMIT ? FOR UPDATE`,
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

/** What became of the shipment that an item has reserved. `reason`: the refusal's. */
export type ItemEnd =
  | { kind: 'none' }
  | { kind: 'open'; workflowId: string }
  | { kind: 'created' }
  | { kind: 'refused'; reason: string };

const s = shipments.as('s');
const END = shape({
  state: s.state,
  reason: s.statusDescription,
  workflowId: s.workflowId,
  isAsked: expression('EXISTS (SELECT 1 FROM carrier_attempts a WHERE a.shipment_uuid = s.uuid)', bool),
});

/** A reservation that ended before the carrier was asked is as good as none. */
export async function findItemEnd(
  db: Executor,
  args: { accountId: number; shipmentUuid: string },
): Promise<ItemEnd> {
  const found = await END.first(db, 'FROM shipments s WHERE s.uuid = ? AND s.account_id = ?', [
    args.shipmentUuid,
    args.accountId,
  ]);
  if (found === null) return { kind: 'none' };
  if (found.state === 'created') return { kind: 'created' };
  if (found.state === 'reserved') return { kind: 'open', workflowId: found.workflowId };
  return found.isAsked ? { kind: 'refused', reason: found.reason } : { kind: 'none' };
}

/**
 * The shipment that an item's creation made since its batch came, whatever has become of the creation's key; null when
 * there is none. `since`: ISO 8601 UTC.
 */
export async function findItemShipment(
  db: Executor,
  args: { accountId: number; orderId: string; workflowId: string; since: string },
): Promise<string | null> {
  // Clocks differ a little. What the same body made in that minute is the item's shipment too, while it is alive.
  const found = await shape({ uuid: s.uuid }).first(
    db,
    `FROM licenses l JOIN orders o ON o.license_id = l.id JOIN shipments s ON s.order_id = o.id
     WHERE l.account_id = ? AND o.order_id = ? AND s.workflow_id = ? AND s.state = 'created'
       AND (s.created_at >= ? OR (s.is_active AND s.created_at >= ? - INTERVAL 1 MINUTE))
     ORDER BY s.id LIMIT 1`,
    [args.accountId, args.orderId, args.workflowId, isoToSql(args.since), isoToSql(args.since)],
  );
  return found && found.uuid;
}

/**
 * The outcome of one item. `reserved` is none yet: it stays pending and knows its shipment. `stopped`: its creation was
 * not asked for after it was claimed; it counts only while the batch is cancelled, and nobody else has claimed the item
 * since, who may be asking for it.
 */
export type ItemResult = { id: number } & (
  | { kind: 'created'; shipmentUuid: string }
  | { kind: 'reserved'; shipmentUuid: string }
  | { kind: 'failed'; error: BatchItemError }
  | { kind: 'stopped'; startedAt: string; error: BatchItemError }
);

/** Writes outcomes of pending items and the batch's counts together; tells how many items have theirs now. */
export async function recordItems(
  db: Database,
  batchId: number,
  results: readonly ItemResult[],
): Promise<number> {
  const created: Settled[] = [];
  const failed: Settled[] = [];
  const reserved: Settled[] = [];
  const stopped: Settled[] = [];
  for (const one of results) {
    if (one.kind === 'created' || one.kind === 'reserved') {
      const known = one.kind === 'created' ? created : reserved;
      known.push({ id: one.id, value: one.shipmentUuid, startedAt: null });
    } else if (one.kind === 'stopped') {
      stopped.push({ id: one.id, value: JSON.stringify(one.error), startedAt: one.startedAt });
    } else {
      failed.push({ id: one.id, value: JSON.stringify(one.error), startedAt: null });
    }
  }
  return await db.transaction(async (tx) => {
    const state = shape({ isCancelled: expression('cancelled_at IS NOT NULL', bool) });
    const batch = await state.first(tx, 'FROM batches WHERE id = ? FOR UPDATE', [batchId]);
    await settle(tx, batchId, 'shipment_uuid', reserved);
    const isCreated = await settle(tx, batchId, `status = 'created', error = NULL, shipment_uuid`, created);
    const ends = batch?.isCancelled ? [...failed, ...stopped] : failed;
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

/** What is written of one item, and the claim under which alone it is, if any. */
interface Settled {
  id: number;
  value: string;
  startedAt: string | null;
}

async function settle(
  tx: Executor,
  batchId: number,
  assignment: string,
  items: readonly Settled[],
): Promise<number> {
  if (items.length === 0) return 0;
  const claims = items.filter((item) => item.startedAt !== null);
  const held =
    claims.length === 0
      ? ''
      : `AND started_at = CASE id ${claims.map(() => 'WHEN ? THEN ?').join(' ')} ELSE started_at END`;
  const { affectedRows } = await tx.run(
    `UPDATE batch_items SET ${assignment} = CASE id ${items.map(() => 'WHEN ? THEN ?').join(' ')} END
     WHERE batch_id = ? AND status = 'pending' AND id IN (${placeholders(items.length)}) ${held}`,
    [
      ...items.flatMap(({ id, value }) => [id, value]),
      batchId,
      ...items.map(({ id }) => id),
      ...claims.flatMap(({ id, startedAt }) => [id, startedAt]),
    ],
  );
  return affectedRows;
}

function toError(error: JsonObject | null): BatchItemError | null {
  if (error === null) return null;
  const { fields } = error;
  const known = { code: String(error.code), message: String(error.message) };
  return typeof fields === 'object' && fields !== null ? { ...known, fields: toFields(fields) } : known;
}

function toFields(fields: object): FieldErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([path, messages]) => [path, [messages].flat().map(String)]),
  );
}
