import type { ExportFormat, ExportRow } from '../../domain/exports.js';
import { csvPieces } from './csv.js';
import { workbookPieces } from './xlsx.js';

/** How the files of a format are made. */
interface ExportFileFormat {
  contentType: string;
  /** The file, piece by piece; a page is read when the one before it is written. */
  pieces(pages: AsyncIterable<readonly ExportRow[]>): AsyncIterable<string | Buffer>;
}

/** The formats of exports. */
export const EXPORT_FORMATS: Readonly<Record<ExportFormat, ExportFileFormat>> = {
  csv: { contentType: 'text/csv; charset=utf-8', pieces: csvPieces },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pieces: (pages) => workbookPieces(pages),
  },
};
