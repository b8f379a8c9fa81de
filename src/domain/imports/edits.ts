import { type FieldErrors, problemAt } from '../problems/problem.js';
import type { Item } from './orders.js';

/** The cells of an order that a person can mend, as JSON paths of the body of `POST /shipments`. */
export const CELLS = [
  'order.id',
  'ship_data.contact_name',
  'ship_data.contact_phone',
  'ship_data.contact_mail',
  'ship_data.company',
  'ship_data.street',
  'ship_data.number',
  'ship_data.entrance',
  'ship_data.floor',
  'ship_data.apartment',
  'ship_data.city',
  'ship_data.pickup',
  'ship_data.note',
  'ship_data.packages',
  'ship_data.cod_amount',
  'ship_data.exaction_date',
] as const;
export type Cell = (typeof CELLS)[number];

/** What a person typed, by cell; it counts over what the file says. */
export type Edits = Partial<Record<Cell, string>>;

/** The order with what was typed in place. Text that is no number stays, for the check to refuse. */
export function edited(item: Item, edits: Edits): Item {
  const parts = { ship_data: { ...item.ship_data }, order: { ...item.order } };
  for (const cell of CELLS) {
    const text = edits[cell];
    if (text === undefined) continue;
    const [part, name = ''] = cell.split('.');
    const value = cell === 'ship_data.packages' && /^\d{1,6}$/.test(text) ? Number(text) : text;
    if (part === 'order') parts.order[name] = value;
    else parts.ship_data[name] = value;
  }
  return parts;
}

/** What a cell holds, as text. */
export function cellText(item: Item, cell: Cell): string {
  const [part, name = ''] = cell.split('.');
  const value = part === 'order' ? item.order[name] : item.ship_data[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A number that a spreadsheet has shortened cannot be dialled, nor found. */
export function spreadsheetFaults(item: Item): FieldErrors {
  const faults: FieldErrors = {};
  for (const cell of ['order.id', 'ship_data.contact_phone'] as const) {
    if (!/^\d([.,]\d+)?E\+\d+$/i.test(cellText(item, cell))) continue;
    faults[cell] = [problemAt(cell, 'shortened')];
  }
  return faults;
}
