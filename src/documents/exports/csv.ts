import { EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertText } from './cells.js';

const BYTE_ORDER_MARK = '\u{feff}';
const NEEDS_QUOTES = /[",\r\n]/;
const IS_TEXT = EXPORT_COLUMNS.map((column) => column.kind === 'text');

/** Beginning of every CSV file: byte order mark and column names. */
export const CSV_HEAD = `${BYTE_ORDER_MARK}${EXPORT_COLUMNS.map((column) => column.name).join(',')}\r\n`;

/** Rows as CSV (RFC 4180, CRLF). Texts are inert, numbers stay numbers, nothing is an empty cell. */
export function csvRows(rows: readonly ExportRow[]): string {
  // Joined by row: text that grows cell by cell costs more in garbage collection than all the rest.
  const lines = rows.map((row) => row.map(toCell).join(','));
  lines.push('');
  return lines.join('\r\n');
}

function toCell(value: ExportRow[number], index: number): string {
  if (value === null) return '';
  return typeof value === 'string' && IS_TEXT[index] === true ? textCell(value) : String(value);
}

function textCell(text: string): string {
  const inert = inertText(text);
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
