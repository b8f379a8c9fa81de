import { getPriority, setPriority } from 'node:os';
import { type Database, openDatabase } from '../../db/database.js';
import { readExportRows } from '../../db/queries/exports/export-rows.js';
import { findExport } from '../../db/queries/exports/exports.js';
import { EXPORT_FORMATS } from '../../documents/exports/formats.js';
import { createStorage, type DocumentStorage } from '../../documents/storage.js';
import {
  EXPORT_CONTENT_TYPES,
  ExportEndedError,
  type ExportRecord,
  type ExportRow,
  type ExportWriting,
  exportColumns,
  exportFileKey,
} from '../../domain/exports.js';
import { type Carried, carried } from '../../lib/threads.js';
import type { ExportThreadJob } from './export-aside.js';

/** Writes an export's file in a thread. Returns the number of rows, or null when it was aborted. */
export async function writeExport(job: ExportThreadJob): Promise<Carried<number | null>> {
  return await carried(() => write(job));
}

async function write({
  databaseUrl,
  storage,
  baseUrl,
  record,
  port,
}: ExportThreadJob): Promise<number | null> {
  yieldToOthers();
  const ending = new AbortController();
  port.once('message', () => ending.abort());
  const db = openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    return await writeExportFile({ db, storage: createStorage(storage), baseUrl }, record, {
      onRows: (soFar) => port.postMessage(soFar),
      signal: ending.signal,
    });
  } catch (error) {
    if (!(error instanceof ExportEndedError)) throw error;
    return null;
  } finally {
    await db.close();
    port.close();
  }
}

/** Keeps export threads from taking all cores. Only Linux has priorities per thread. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  // A third of the usual CPU share; less would starve exports on a busy machine. A nicer process stays so.
  setPriority(Math.max(getPriority(), 5));
}

/**
 * Writes an export's file into the document store, atomically, under its record's name. Returns the number of
 * rows. `baseUrl`: public address of the API, for links. @throws ExportEndedError, leaving no file
 */
export async function writeExportFile(
  { db, storage, baseUrl }: { db: Database; storage: DocumentStorage; baseUrl: string },
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
  const pieces = EXPORT_FORMATS[format](pages(), exportColumns(record));
  await storage.writePieces(exportFileKey(record), pieces, {
    contentType: EXPORT_CONTENT_TYPES[format],
    signal,
  });
  return count;
}
