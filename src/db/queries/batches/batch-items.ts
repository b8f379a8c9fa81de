import type { BatchItemError, BatchItemRecord, BatchItemStatus } from '../../../domain/batch.js';
import { fieldErrorsOf } from '../../../domain/problems/problem.js';
import type { JsonObject } from '../../../domain/shipment.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selection, shape } from '../../selection.js';
import { batches, batchItems } from '../../tables/index.js';
import type { NewRowOf } from '../../tables/table.js';
import { allOf, type Condition, isOneOf, type KeysetPage, type KeysetQuery, selectPage } from '../keyset.js';

const INSERTED_BYTES = 2 * 1024 * 1024;

/** A new item; with an `error` it has failed from the start. */
export interface NewBatchItem {
  /** JSON text; null when it is too large to keep. */
  payload: string | null;
  /** Of its creation, SHA-256 in hex. */
  fingerprint: string;
  bytes: number;
  error: BatchItemError | null;
}

/** Inserts the items of a new batch in their order. `at`: ISO 8601 UTC. */
export async function insertBatchItems(
  tx: Executor,
  batchId: number,
  items: readonly NewBatchItem[],
  at: string,
): Promise<void> {
  let rows: NewRowOf<typeof batchItems>[] = [];
  let bytes = 0;
  for (const [position, item] of items.entries()) {
    if (rows.length === LIMITS.database.insertedRows || bytes + item.bytes > INSERTED_BYTES) {
      await batchItems.insertText(tx, rows);
      rows = [];
      bytes = 0;
    }
    const { payload, error } = item;
    const fingerprint = Buffer.from(item.fingerprint, 'hex');
    const status = error === null ? 'pending' : 'failed';
    const times = { createdAt: at, updatedAt: at };
    rows.push({ batchId, position, status, payload, fingerprint, error: error && { ...error }, ...times });
    bytes += item.bytes;
  }
  await batchItems.insertText(tx, rows);
}

const b = batches.as('b');
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
const SIZE = shape({ id: i.id, bytes: expression(`COALESCE(LENGTH(${i.payload}), 0)`, int) });

/** Which items of an account's batch. */
interface ItemFilter {
  accountId: number;
  batchId: number;
  status?: BatchItemStatus | undefined;
}

/**
 * A batch's items in order, with the size of their bodies in bytes: rows of a page as `selectPage` returns them;
 * `after` and `before` are item ids.
 */
export async function listBatchItemSizes(db: Executor, args: KeysetPage & ItemFilter) {
  const key = args.status === undefined ? 'batch_items_list' : 'batch_items_status';
  const query: KeysetQuery = {
    from: itemsAlong(key),
    where: itemsWhere(args),
    id: `${i.id}`,
    order: 'ASC',
  };
  return await selectPage(db, SIZE, query, args);
}

/** The items that still pass the filter, in order. */
export async function readBatchItems(
  db: Executor,
  args: ItemFilter & { ids: readonly number[] },
): Promise<BatchItemRecord[]> {
  const { sql, params } = allOf([...itemsWhere(args), isOneOf(`${i.id}`, args.ids)]);
  return await ITEM.select(db, `FROM ${itemsAlong('PRIMARY')} WHERE ${sql} ORDER BY ${i.id}`, params);
}

/**
 * Items with their batches, read along the key in list order: the planner may prefer another key and then sort all
 * items of the batch with their bodies.
 */
function itemsAlong(key: string): string {
  return `batch_items i FORCE INDEX (${key}) JOIN batches b ON ${b.id} = ${i.batchId}`;
}

function itemsWhere({ accountId, batchId, status }: ItemFilter): Condition[] {
  return [
    [`${b.accountId} = ?`, accountId],
    [`${i.batchId} = ?`, batchId],
    [`${i.status} = ?`, status],
  ];
}

/** The first failed items of a batch with their errors; 50 at most. */
export async function listBatchErrors(db: Executor, batchId: number) {
  return await batchItems.find(
    db,
    batchItems.pick('position', 'error'),
    { batchId, status: 'failed' },
    { order: ['position'], limit: 50 },
  );
}

/** All items of these batches of an account, in order, by batch id. */
export async function itemsOfBatches(
  db: Executor,
  args: { accountId: number; batchIds: readonly number[] },
): Promise<Map<number, BatchItemRecord[]>> {
  const found = new Map<number, BatchItemRecord[]>(args.batchIds.map((id) => [id, []]));
  // One statement per batch: sorting texts of many batches would spill to disk.
  for (const [batchId, items] of found) {
    const { sql, params } = allOf(itemsWhere({ accountId: args.accountId, batchId }));
    const tail = `FROM ${itemsAlong('batch_items_position')} WHERE ${sql} ORDER BY ${i.position}`;
    items.push(...(await ITEM.select(db, tail, params)));
  }
  return found;
}

function toError(error: JsonObject | null): BatchItemError | null {
  if (error === null) return null;
  const { fields } = error;
  const known = { code: String(error.code), message: String(error.message) };
  return typeof fields === 'object' && fields !== null ? { ...known, fields: fieldErrorsOf(fields) } : known;
}
