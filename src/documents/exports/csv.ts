import { stringify } from 'csv-stringify/sync';
import { EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertText } from './cells.js';

const BYTE_ORDER_MARK = '\u{feff}';
/** A lone CR or LF within a cell ends the row for some readers unless it is quoted. */
const LAYOUT = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ };

/** Beginning of every CSV file: byte order mark and column names. */
export const CSV_HEAD = `${BYTE_ORDER_MARK}${stringify([EXPORT_COLUMNS.map((column) => column.name)], LAYOUT)}`;

/** Rows as CSV (RFC 4180, CRLF). Texts are inert, numbers stay numbers, nothing is an empty cell. */
export function csvRows(rows: readonly ExportRow[]): string {
  return stringify(rows.map(toCells), LAYOUT);
}

function toCells(row: ExportRow): string[] {
  return row.map((value, index) => {
    if (value === null) return '';
    return typeof value === 'string' && EXPORT_COLUMNS[index]?.kind === 'text'
      ? inertText(value)
      : String(value);
  });
}
