import type { Database } from '../../db/database.js';
import { readExportRows } from '../../db/queries/exports/export-rows.js';
import { findExport } from '../../db/queries/exports/exports.js';
import { EXPORT_FORMATS } from '../../documents/exports/formats.js';
import type { DocumentStorage } from '../../documents/storage.js';
import {
  EXPORT_CONTENT_TYPES,
  ExportEndedError,
  type ExportRecord,
  type ExportRow,
  type ExportWriting,
  exportFileKey,
} from '../../domain/exports.js';

/** `baseUrl`: public address of the API, for links. */
interface ExportSources {
  db: Database;
  storage: DocumentStorage;
  baseUrl: string;
}

/**
 * Writes an export's file into the document store, atomically, under its record's name. Returns the number of
 * rows. @throws ExportEndedError, leaving no file
 */
export async function writeExportFile(
  { db, storage, baseUrl }: ExportSources,
  record: ExportRecord,
  { onRows, signal }: ExportWriting,
): Promise<number> {
  let count = 0;
  async function* pages(): AsyncGenerator<ExportRow[]> {
    for await (const page of readExportRows(db, record, baseUrl)) {
      yield page;
      count += page.length;
      onRows(count);
    }
    // A file of an export that ended meanwhile would never be deleted.
    const { accountId, id: exportId } = record;
    if ((await findExport(db, { accountId, exportId }))?.status !== 'processing')
      throw new ExportEndedError();
  }
  const { format } = record;
  const pieces = EXPORT_FORMATS[format](pages());
  await storage.writePieces(exportFileKey(record), pieces, {
    contentType: EXPORT_CONTENT_TYPES[format],
    signal,
  });
  return count;
}
