import { type CheckedRow, shippedOrders } from '../../db/queries/imports/rows.js';
import { cellText, type Edits, edited, spreadsheetFaults } from '../../domain/imports/edits.js';
import type { Hold, Item } from '../../domain/imports/orders.js';
import { phoneKey } from '../../domain/phone.js';
import { type FieldErrors, problemAt, quoted } from '../../domain/problems/problem.js';
import type { App } from '../app.js';

/** Faults in the body of a creation by JSON path: the rules of `POST /shipments`. */
export type ItemCheck = (item: Item) => FieldErrors;

/** An order before its check. `hold`: why the file itself sets it aside. */
export interface UncheckedRow {
  id?: number;
  line: number;
  item: Item;
  edits: Edits;
  hold: Hold | null;
  isTaken: boolean;
  /** Why the carrier refused the order as it is. */
  told?: string | undefined;
}

/** Where a row's faults keep {@link UncheckedRow.told}. */
export const TOLD = 'carrier';

/** Orders that one turn of the process checks; 2000 take about half a second. */
const TURN = 100;

/**
 * Checks orders of a draft: each by the rules of a creation, for numbers that a spreadsheet has spoilt, for a second row of
 * the same order, and for a parcel that the order has already. `others`: orders of the draft that are not among them.
 */
export async function checkRows(
  { db }: Pick<App, 'db'>,
  rows: readonly UncheckedRow[],
  { check, licenseId, others }: { check: ItemCheck; licenseId: number; others: ReadonlyMap<string, number> },
): Promise<CheckedRow[]> {
  const whole = rows.map((row) => ({ ...row, now: edited(row.item, row.edits) }));
  const orderIds = whole.map(({ now }) => cellText(now, 'order.id').trim());
  const shipped = await shippedOrders(db, { licenseId, orderIds: orderIds.filter((id) => id !== '') });
  const lines = new Map(others);
  const checked: CheckedRow[] = [];
  for (const [index, { now, told, ...row }] of whole.entries()) {
    if (index % TURN === TURN - 1) await new Promise((resolve) => setImmediate(resolve));
    const orderId = orderIds[index] ?? '';
    const shipmentUuid = shipped.get(orderId) ?? null;
    const hold = holdOf(row, shipmentUuid);
    const faults = {
      ...(told === undefined ? {} : { [TOLD]: [quoted(told)] }),
      ...check(now),
      ...spreadsheetFaults(now),
      ...repeated(lines, orderId, row.line),
    };
    const isHeld = hold !== null && !row.isTaken;
    checked.push({
      ...row,
      faults,
      hold,
      shipmentUuid,
      state: isHeld ? 'held' : Object.keys(faults).length > 0 ? 'faulty' : 'ready',
      orderId: orderId.slice(0, 191),
      phoneKey: phoneKey(cellText(now, 'ship_data.contact_phone')),
      email: cellText(now, 'ship_data.contact_mail').slice(0, 255),
    });
    if (orderId !== '' && !isHeld && !lines.has(orderId)) lines.set(orderId, row.line);
  }
  return checked;
}

function holdOf({ hold }: UncheckedRow, shipmentUuid: string | null): Hold | null {
  if (hold === 'chosen' || shipmentUuid === null) return hold === 'shipped' ? null : hold;
  return 'shipped';
}

function repeated(lines: ReadonlyMap<string, number>, orderId: string, line: number): FieldErrors {
  const other = lines.get(orderId);
  if (orderId === '' || other === undefined || other === line) return {};
  return { 'order.id': [problemAt('order.id', 'repeated_row', { row: other })] };
}
