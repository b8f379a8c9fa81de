import { type CastingContext, stringify } from 'csv-stringify/sync';
import { EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertText } from './cells.js';

/** RFC 4180 with CRLF. A line break of any kind is quoted: many readers end a row at each. */
const RFC_4180 = { record_delimiter: 'windows', quote_record_delimiter: true } as const;

/**
 * Rows as CSV in UTF-8 with a byte order mark, a text for each page. Texts are inert, numbers stay numbers, nothing is
 * an empty cell.
 */
export async function* csvPieces(pages: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<string> {
  yield stringify([EXPORT_COLUMNS.map(({ name }) => name)], { ...RFC_4180, bom: true });
  for await (const rows of pages) {
    if (rows.length > 0)
      yield stringify([...rows], { ...RFC_4180, cast: { boolean: String, string: textCell } });
  }
}

function textCell(text: string, { index }: CastingContext): string {
  return EXPORT_COLUMNS[index]?.kind === 'text' ? inertText(text) : text;
}
