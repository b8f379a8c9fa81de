/** Fields that a column of a file of orders may hold. */
export const IMPORT_FIELDS = [
  'order_number',
  'order_id',
  'name',
  'first_name',
  'last_name',
  'phone',
  'email',
  'company',
  'street',
  'number',
  'address_2',
  'apartment',
  'floor',
  'entrance',
  'city',
  'state',
  'zip',
  'country',
  'address',
  'pickup',
  'note',
  'packages',
  'cod',
  'day',
  'status',
  'cancelled_at',
  'total',
  'currency',
  'item_name',
  'item_quantity',
  'item_sku',
  'item_ships',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** The field of each column; null for a column that is not read. */
export type ImportColumns = readonly (ImportField | null)[];

/** A file's table: texts only. `line`: the number of the row in the file, from 1. */
export interface ImportTable {
  header: string[];
  rows: { line: number; cells: string[] }[];
}

/** Reads columns that were stored; what is no field is not read. */
export function columnsOf(stored: readonly unknown[]): ImportColumns {
  return stored.map((one) => IMPORT_FIELDS.find((field) => field === one) ?? null);
}

/** Whether every parcel could be complete: an order, who, a phone, and where. */
export function isComplete(columns: ImportColumns): boolean {
  const has = (...fields: readonly ImportField[]) => fields.some((field) => columns.includes(field));
  return (
    has('order_number', 'order_id') &&
    has('name', 'first_name', 'last_name') &&
    has('phone') &&
    (has('address', 'pickup') || (has('street') && has('city')))
  );
}
