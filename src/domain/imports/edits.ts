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
  'order.shipping.country',
  'ship_data.pickup',
  'ship_data.note',
  'ship_data.packages',
  'ship_data.cod_amount',
  'ship_data.exaction_date',
] as const;
export type Cell = (typeof CELLS)[number];

const COUNTRY = 'order.shipping.country';

/** A person's input by cell; it counts over what the file says. */
export type Edits = Partial<Record<Cell, string>>;

/** The order with what was typed in place. Text that is no number stays, for the check to refuse. */
export function edited(item: Item, edits: Edits): Item {
  const parts = { ship_data: { ...item.ship_data }, order: { ...item.order } };
  for (const cell of CELLS) {
    const text = edits[cell];
    if (text === undefined) continue;
    const value = cell === 'ship_data.packages' && /^\d{1,6}$/.test(text) ? Number(text) : text;
    if (cell === COUNTRY) parts.order.shipping = { ...shippingOf(item), country: value };
    else if (cell === 'order.id') parts.order.id = value;
    else parts.ship_data[cell.slice('ship_data.'.length)] = value;
  }
  return parts;
}

/** A cell's value as text. */
export function cellText(item: Item, cell: Cell): string {
  const value =
    cell === COUNTRY
      ? shippingOf(item).country
      : cell === 'order.id'
        ? item.order.id
        : item.ship_data[cell.slice('ship_data.'.length)];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function shippingOf({ order: { shipping } }: Item): Readonly<Record<string, unknown>> {
  return typeof shipping === 'object' && shipping !== null ? { ...shipping } : {};
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
