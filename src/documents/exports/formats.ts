import { csvPieces } from './csv.js';
import { workbookPieces } from './xlsx.js';

/** The writer of each format: a file, piece by piece. The next page is read after the previous one is written. */
export const EXPORT_FORMATS = { csv: csvPieces, xlsx: workbookPieces } as const;
