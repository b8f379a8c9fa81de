import type { Entry } from './values-of.js';

const MIB = 1024 * 1024;

/** The limits of orders from files, a group of the table of limits. */
export const IMPORT_LIMITS = {
  fileBytes: [10 * MIB, 'a file of orders, or a pasted table', '413'],
  unpackedBytes: [48 * MIB, 'what a workbook holds unpacked', 'it is refused'],
  readMs: [20_000, 'reading a file', 'it is refused'],
  atOnce: [1, 'files that an API process reads at once', 'wait their turn'],
  lines: [20_000, 'rows of a file, of which several may be one order', 'it is refused'],
  columns: [200, 'columns of a file', 'it is refused'],
  lineCharacters: [200_000, 'a row of a CSV file', 'it is refused'],
  cellCharacters: [2000, 'a cell', 'cut'],
  mappings: [100, 'choices of columns that an account has remembered', 'the oldest go'],
  pageRows: [20, 'orders of a page that a person mends', 'on the next page'],
  keptDays: [14, 'a draft', 'is deleted'],
  // Each takes its orders with it.
  deleted: [10, 'drafts that one step deletes', 'left to the next step'],
} satisfies Record<string, Entry>;

/** The limits of what an account keeps for its next parcels, another group of that table. */
export const KEPT_LIMITS = {
  addresses: [5000, 'addresses that an account keeps', '422'],
  presets: [20, 'presets of parcels that an account keeps', '422'],
  found: [8, 'kept addresses that a search in "New shipment" shows', 'more letters find fewer'],
} satisfies Record<string, Entry>;
