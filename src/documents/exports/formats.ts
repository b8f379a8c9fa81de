import type { ExportFormat, ExportRow } from '../../domain/exports.js';
import { csvPieces } from './csv.js';
import { workbookPieces } from './xlsx.js';

/** A file, piece by piece; the next page is read after the previous one is written. */
type Pieces = (pages: AsyncIterable<readonly ExportRow[]>) => AsyncIterable<string | Buffer>;

/** The writer of each format. */
export const EXPORT_FORMATS: Readonly<Record<ExportFormat, Pieces>> = {
  csv: csvPieces,
  xlsx: (pages) => workbookPieces(pages),
};
