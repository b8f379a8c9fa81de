import { EXPORT_COLUMNS, type ExportColumn, type ExportRow } from '../../domain/exports.js';
import { inertParts, inertText } from './cells.js';

const BYTE_ORDER_MARK = '\u{feff}';
const ROW_END = '\r\n';
/** A fast path for most texts: nothing in them begins or parts a cell, in any program. */
const BARE = /^[0-9A-Za-z\u05d0-\u05ea][ !#-+\--:<-~\u05d0-\u05ea]*$/;
/** Programs that split at other characters than commas would start a cell there. */
const SPLITTING = /[;\t\r\n]/;
const QUOTED = /[",\r\n]/;

/**
 * Rows as CSV (RFC 4180) in UTF-8 with byte order mark and CRLF, a piece a page. Texts are inert, numbers stay numbers,
 * null is an empty cell. Our own writer: a library that is called for each cell takes most of an export's time.
 */
export async function* csvPieces(
  pages: AsyncIterable<readonly ExportRow[]>,
  columns: readonly ExportColumn[] = EXPORT_COLUMNS,
): AsyncIterable<Buffer> {
  const isFree = columns.map(({ kind }) => kind === 'text');
  const head = columns.map(({ name }) => name).join(',');
  yield Buffer.from(`${BYTE_ORDER_MARK}${head}${ROW_END}`);
  for await (const rows of pages) {
    if (rows.length > 0) yield Buffer.from(textOf(rows, isFree));
  }
}

function textOf(rows: readonly ExportRow[], isFree: readonly boolean[]): string {
  let text = '';
  for (const row of rows) {
    for (let index = 0; index < row.length; index += 1) {
      const value = row[index] ?? '';
      if (index > 0) text += ',';
      text += typeof value === 'string' ? cellOf(value, isFree[index] === true) : String(value);
    }
    text += ROW_END;
  }
  return text;
}

/**
 * Quotes every kind of line break, since many readers end a row at each. Quotes do not stop spreadsheets from splitting
 * at semicolons, so parts of a text are made inert too. `isFree`: the text is not one of ours.
 */
function cellOf(text: string, isFree: boolean): string {
  if (text === '' || BARE.test(text)) return text;
  const whole = isFree ? inertText(text) : text;
  const value = SPLITTING.test(whole) ? inertParts(whole) : whole;
  return QUOTED.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
