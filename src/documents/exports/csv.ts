import { once } from 'node:events';
import { type CastingContext, type Stringifier, stringify } from 'csv-stringify';
import { EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertParts, inertText } from './cells.js';

const LINE_BREAK = /[\r\n]/;
/** Few cells hold any, so that the others cost no more than this look. */
const SPLITTING = /[;\t\r\n]/;

/**
 * Rows as CSV (RFC 4180) in UTF-8 with a byte order mark and CRLF, piece by piece. Texts are inert, numbers stay
 * numbers, nothing is an empty cell.
 */
export async function* csvPieces(pages: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<Buffer> {
  const csv = stringify({
    bom: true,
    header: true,
    columns: EXPORT_COLUMNS.map(({ name }) => name),
    record_delimiter: 'windows',
    cast: { boolean: String, string: textCell },
  });
  writeRows(pages, csv).catch((error: unknown) => {
    csv.destroy(error instanceof Error ? error : new Error('The rows cannot be written.'));
  });
  // Not before somebody reads: an error that nobody listens for ends the process.
  yield* csv;
}

/** Waits once a page: a row at a time, as streams are mostly fed, takes a third longer. */
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
 * Quotes a line break of any kind, which the library does only where asked: many readers end a row at each. Quotes do
 * not keep a spreadsheet from splitting at semicolons, so that parts of a text are made inert too.
 */
function textCell(text: string, { index }: CastingContext): string | { value: string; quoted: true } {
  const value = EXPORT_COLUMNS[index]?.kind === 'text' ? inertText(text) : text;
  if (!SPLITTING.test(value)) return value;
  const inert = inertParts(value);
  return LINE_BREAK.test(inert) ? { value: inert, quoted: true } : inert;
}
