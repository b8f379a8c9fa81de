import type { ExportFormat, ExportRow } from '../../domain/exports.js';
import { csvPieces } from './csv.js';
import { workbookPieces } from './xlsx.js';

/** A file, piece by piece; a page is read when the one before it is written. */
type Pieces = (pages: AsyncIterable<readonly ExportRow[]>) => AsyncIterable<string | Buffer>;

/** How the files of each format are made. */
export const EXPORT_FORMATS: Readonly<Record<ExportFormat, Pieces>> = {
  csv: csvPieces,
  xlsx: (pages) => workbookPieces(pages),
};
