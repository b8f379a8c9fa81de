import type { Database } from '../db/database.js';
import { readExportRows } from '../db/queries/export-rows.js';
import { findExport } from '../db/queries/exports.js';
import { EXPORT_FORMATS } from '../documents/exports/formats.js';
import type { DocumentStorage } from '../documents/storage.js';
import {
  EXPORT_CONTENT_TYPES,
  ExportEndedError,
  type ExportRecord,
  type ExportRow,
  type ExportWriting,
  exportFileKey,
} from '../domain/exports.js';

/** What a file is written with. `baseUrl`: public address of the API, for links. */
export interface ExportSources {
  db: Database;
  storage: DocumentStorage;
  baseUrl: string;
}

/**
 * Writes the whole file of an export into the document store, under the name that its record has, and returns the
 * number of rows. A reader meets it only once it is whole.
 * @throws ExportEndedError, and leaves no file
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
    // A file of an export that has ended meanwhile would stay for ever.
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
