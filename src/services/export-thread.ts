import { getPriority, setPriority } from 'node:os';
import { openDatabase } from '../db/database.js';
import { createStorage } from '../documents/storage.js';
import { ExportEndedError } from '../domain/exports.js';
import type { ExportThreadJob } from './export-aside.js';
import { writeExportFile } from './export-writing.js';

/** A third of the share of a core that others get: on a busy machine less would keep exports from ending. */
const NICE = 5;

/** Writes the file of one export, in a thread; the number of its rows, or null where it was ended before. */
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

/** Several threads may take every core from what somebody waits for. Only Linux has priorities of single threads. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  // A process that gives way already may not take that back.
  setPriority(Math.max(getPriority(), NICE));
}
