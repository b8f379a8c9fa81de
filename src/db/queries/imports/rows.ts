import { CELLS, type Edits } from '../../../domain/imports/edits.js';
import type { Item } from '../../../domain/imports/orders.js';
import { type FieldErrors, fieldErrorsOf } from '../../../domain/problems/problem.js';
import type { JsonObject } from '../../../domain/shipment.js';
import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { importRows, orders, shipments } from '../../tables/index.js';

const r = importRows.as('import_rows');
const ROW = shape({
  id: r.id,
  line: r.line,
  item: r.item.map(itemOf),
  edits: r.edits.map(editsOf),
  faults: r.faults.map(fieldErrorsOf),
  state: r.state,
  hold: r.hold,
  isTaken: r.isTaken,
  shipmentUuid: r.shipmentUuid,
  round: r.round,
  batchUuid: r.batchUuid,
});

/**
 * An order of a draft. `item` is what the file says, `edits` count over it. `isTaken`: a person books it although it was
 * set aside. `shipmentUuid`: the parcel that its order has already. `round` and `batchUuid`: of its booking.
 */
export type ImportRow = Selected<typeof ROW>;
export type RowState = ImportRow['state'];

/** A row after its check; `orderId`, `phoneKey` and `email` say whose it is. */
export interface CheckedRow extends Omit<ImportRow, 'id' | 'round' | 'batchUuid'> {
  id?: number;
  orderId: string;
  phoneKey: string;
  email: string;
}

function itemOf({ ship_data, order }: JsonObject): Item {
  return { ship_data: objectOf(ship_data), order: objectOf(order) };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function editsOf(stored: JsonObject): Edits {
  const edits: Edits = {};
  for (const cell of CELLS) {
    const typed = stored[cell];
    if (typeof typed === 'string') edits[cell] = typed;
  }
  return edits;
}

/** How many orders of a draft are in each state. */
export async function countRows(db: Executor, draftId: number): Promise<Record<RowState, number>> {
  const counted = shape({ state: r.state, rows: expression('COUNT(*)', int) });
  const found = await counted.select(db, `FROM import_rows WHERE ${r.draftId} = ? GROUP BY ${r.state}`, [
    draftId,
  ]);
  const counts = { ready: 0, faulty: 0, held: 0, booked: 0 };
  for (const { state, rows } of found) counts[state] = rows;
  return counts;
}

/** Orders of a draft in a state, in the order of the file. */
export async function listRows(
  db: Executor,
  page: { draftId: number; state: RowState; afterId: number; limit: number },
): Promise<ImportRow[]> {
  return await ROW.select(
    db,
    `FROM import_rows WHERE ${r.draftId} = ? AND ${r.state} = ? AND ${r.id} > ? ORDER BY ${r.id} LIMIT ?`,
    [page.draftId, page.state, page.afterId, page.limit],
  );
}

/** All orders of a draft but those that are booked. */
export async function openRows(tx: Executor, draftId: number): Promise<ImportRow[]> {
  return await ROW.select(
    tx,
    `FROM import_rows WHERE ${r.draftId} = ? AND ${r.state} <> 'booked' ORDER BY ${r.id}`,
    [draftId],
  );
}

/** The orders of a draft that are booked. */
export async function bookedRows(tx: Executor, draftId: number): Promise<ImportRow[]> {
  return await importRows.find(tx, ROW, { draftId, state: 'booked' });
}

/** One order of a draft; null when there is none. */
export async function findRow(
  db: Executor,
  { draftId, id }: { draftId: number; id: number },
): Promise<ImportRow | null> {
  return await importRows.findOne(db, ROW, { draftId, id });
}

/** Orders of one booking, in the order of the file. */
export async function rowsOfRound(
  db: Executor,
  { draftId, round }: { draftId: number; round: number },
): Promise<ImportRow[]> {
  return await importRows.find(db, ROW, { draftId, round }, { order: ['id'] });
}

/** Replaces the orders of a draft, of which none may be booked. */
export async function replaceRows(tx: Executor, draftId: number, rows: readonly CheckedRow[]): Promise<void> {
  await tx.run('DELETE FROM import_rows WHERE draft_id = ?', [draftId]);
  for (let from = 0; from < rows.length; from += 500) {
    const page = rows.slice(from, from + 500).map(({ id: _id, item, ...row }) => {
      return { draftId, ...stored(row), item: { ...item } };
    });
    await importRows.insertText(tx, page);
  }
}

/** Writes orders after their check. */
export async function updateRows(tx: Executor, rows: readonly CheckedRow[]): Promise<void> {
  for (const { id, line: _line, item: _item, ...row } of rows) {
    if (id !== undefined) await importRows.update(tx, { id }, stored(row));
  }
}

function stored<T extends { edits: Edits; faults: FieldErrors }>(row: T) {
  return { ...row, edits: { ...row.edits }, faults: { ...row.faults } };
}

/**
 * Sets aside the ready orders that have a delivery by now, or stand in a booking of the license that is under way: two
 * files, or a file and the shop's plugin, may name one order. Those that a person takes all the same stay.
 */
export async function holdShipped(
  tx: Executor,
  { id: draftId, licenseId }: { id: number; licenseId: number },
): Promise<void> {
  const isWaiting = `r.draft_id = ? AND r.state = 'ready' AND r.is_taken = FALSE`;
  await tx.run(
    `UPDATE import_rows r
     JOIN orders o ON o.license_id = ? AND o.order_id = r.order_id
     JOIN shipments s ON s.order_id = o.id AND ${HAS_DELIVERY}
     SET r.state = 'held', r.hold = 'shipped', r.shipment_uuid = s.uuid WHERE ${isWaiting}`,
    [licenseId, draftId],
  );
  await tx.run(
    `UPDATE import_rows r
     JOIN import_rows b ON b.order_id = r.order_id AND b.id <> r.id AND b.state = 'booked'
     JOIN import_drafts d ON d.id = b.draft_id AND d.license_id = ?
     LEFT JOIN batches t ON t.uuid = b.batch_uuid
     SET r.state = 'held', r.hold = 'shipped'
     WHERE ${isWaiting} AND (t.id IS NULL OR EXISTS (
       SELECT 1 FROM batch_items i WHERE i.batch_id = t.id AND i.status = 'pending'))`,
    [licenseId, draftId],
  );
}

/** Gives the orders that are ready to a booking. */
export async function takeReady(
  tx: Executor,
  { draftId, round }: { draftId: number; round: number },
): Promise<number> {
  const { affectedRows } = await tx.run(
    `UPDATE import_rows SET state = 'booked', round = ? WHERE draft_id = ? AND state = 'ready'`,
    [round, draftId],
  );
  return affectedRows;
}

/** Notes the batch of a booking. */
export async function noteBatch(
  db: Executor,
  { draftId, round, batchUuid }: { draftId: number; round: number; batchUuid: string },
): Promise<void> {
  await importRows.update(db, { draftId, round }, { batchUuid });
}

/** Batches that were made from a draft, and whether a booking waits for its batch. */
export async function bookingsOf(db: Executor, draftId: number) {
  const booking = shape({
    round: r.round.map((round) => round ?? 0),
    batchUuid: r.batchUuid,
    orders: expression('COUNT(*)', int),
  });
  return await booking.select(
    db,
    `FROM import_rows WHERE ${r.draftId} = ? AND ${r.round} IS NOT NULL
     GROUP BY ${r.round}, ${r.batchUuid} ORDER BY ${r.round}`,
    [draftId],
  );
}

const o = orders.as('o');
const s = shipments.as('s');
const SHIPPED = shape({ orderId: o.orderId, uuid: s.uuid });
/** Of a shipment `s`: a delivery under way or delivered. */
const HAS_DELIVERY = `${s.isActive} = TRUE AND ${s.state} IN ('reserved', 'created') AND ${s.serviceType} = 1`;

/** The deliveries under way or delivered that orders of a license have, by the shop's order id. */
export async function shippedOrders(
  db: Executor,
  { licenseId, orderIds }: { licenseId: number; orderIds: readonly string[] },
): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map();
  const found = await SHIPPED.select(
    db,
    `FROM orders o JOIN shipments s ON ${s.orderId} = ${o.id}
     WHERE ${o.licenseId} = ? AND ${o.orderId} IN (${placeholders(orderIds.length)})
       AND ${HAS_DELIVERY}`,
    [licenseId, ...orderIds],
  );
  return new Map(found.map(({ orderId, uuid }) => [orderId, uuid]));
}
