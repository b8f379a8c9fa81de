import { pipeline } from 'node:stream';
import { type CastingContext, stringify } from 'csv-stringify';
import { EXPORT_COLUMNS, type ExportRow } from '../../domain/exports.js';
import { inertText } from './cells.js';

/**
 * Rows as CSV (RFC 4180) in UTF-8 with a byte order mark and CRLF, piece by piece. Texts are inert, numbers stay
 * numbers, nothing is an empty cell. (The library's synchronous form takes twice as long and more memory.)
 */
export function csvPieces(pages: AsyncIterable<readonly ExportRow[]>): AsyncIterable<Buffer> {
  const csv = stringify({
    bom: true,
    header: true,
    columns: EXPORT_COLUMNS.map(({ name }) => name),
    record_delimiter: 'windows',
    // A line break of any kind is quoted: many readers end a row at each.
    quote_record_delimiter: true,
    cast: { boolean: String, string: textCell },
  });
  // Trouble with the rows ends the stream, which tells whoever reads it.
  return pipeline(rowsOf(pages), csv, () => undefined);
}

async function* rowsOf(pages: AsyncIterable<readonly ExportRow[]>): AsyncGenerator<ExportRow> {
  for await (const rows of pages) yield* rows;
}

function textCell(text: string, { index }: CastingContext): string {
  return EXPORT_COLUMNS[index]?.kind === 'text' ? inertText(text) : text;
}
