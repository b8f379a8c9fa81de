import { once } from 'node:events';
import { type Stringifier, stringify } from 'csv-stringify';
import { EXPORT_COLUMNS, type ExportColumn, type ExportRow } from '../../domain/exports.js';
import { inertParts, inertText } from './cells.js';

const LINE_BREAK = /[\r\n]/;
/** A cheap test first: few cells hold any of these. */
const SPLITTING = /[;\t\r\n]/;

/**
 * Rows as CSV (RFC 4180) in UTF-8 with byte order mark and CRLF, piece by piece. Texts are inert, numbers stay
 * numbers, null is an empty cell.
 */
export async function* csvPieces(
  pages: AsyncIterable<readonly ExportRow[]>,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): AsyncIterable<Buffer> {
  const csv = stringify({
    bom: true,
    header: true,
    columns: columns.map(({ name }) => name),
    record_delimiter: 'windows',
    cast: {
      boolean: String,
      string: (text, { index }) => textCell(text, columns[index]?.kind === 'text'),
    },
  });
  writeRows(pages, csv).catch((error: unknown) => {
    csv.destroy(error instanceof Error ? error : new Error('The rows cannot be written.'));
  });
  // Started only when somebody reads: an error without a listener ends the process.
  yield* csv;
}

/** Waits once per page: waiting per row, as streams usually do, takes a third longer. */
async function writeRows(pages: AsyncIterable<readonly ExportRow[]>, csv: Stringifier): Promise<void> {
  const closed = new Promise((resolve) => csv.once('close', resolve));
  for await (const rows of pages) {
    for (const row of rows) csv.write(row);
    if (csv.writableNeedDrain) await Promise.race([once(csv, 'drain'), closed]);
    if (csv.destroyed) return;
  }
  csv.end();
}

/**
 * Quotes every kind of line break, since many readers end a row at each; the library needs to be asked. Quotes
 * do not stop spreadsheets from splitting at semicolons, so parts of a text are made inert too. `isFree`: the text is
 * not one of ours.
 */
function textCell(text: string, isFree: boolean): string | { value: string; quoted: true } {
  const value = isFree ? inertText(text) : text;
  if (!SPLITTING.test(value)) return value;
  const inert = inertParts(value);
  return LINE_BREAK.test(inert) ? { value: inert, quoted: true } : inert;
}
