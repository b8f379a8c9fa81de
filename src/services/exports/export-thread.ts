import { getPriority, setPriority } from 'node:os';
import { openDatabase } from '../../db/database.js';
import { createStorage } from '../../documents/storage.js';
import { ExportEndedError } from '../../domain/exports.js';
import type { ExportThreadJob } from './export-aside.js';
import { writeExportFile } from './export-writing.js';

/** Writes an export's file in a thread. Returns the number of rows, or null when it was aborted. */
export async function writeExport({
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
