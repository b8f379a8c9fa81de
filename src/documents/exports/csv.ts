import { EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertText } from './cells.js';

const BYTE_ORDER_MARK = '\u{feff}';
const NEEDS_QUOTES = /[",\r\n]/;

/** Beginning of every CSV file: byte order mark and column names. */
export const CSV_HEAD = `${BYTE_ORDER_MARK}${EXPORT_COLUMNS.map((column) => column.name).join(',')}\r\n`;

/** Rows as CSV (RFC 4180, CRLF). Texts are inert, numbers stay numbers, nothing is an empty cell. */
export function csvRows(rows: readonly ExportRow[]): string {
  let csv = '';
  for (const row of rows) {
    for (const [index, { kind }] of EXPORT_COLUMNS.entries()) {
      const value = row[index] ?? null;
      if (index > 0) csv += ',';
      if (value !== null) csv += kind === 'text' ? textCell(String(value)) : String(value);
    }
    csv += '\r\n';
  }
  return csv;
}

function textCell(text: string): string {
  const inert = inertText(text);
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
