import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { openDatabase } from '../db/database.js';
import { createStorage } from '../documents/storage.js';
import { ExportEndedError } from '../domain/exports.js';
import type { ExportThreadJob, ExportThreadNews } from './export-aside.js';
import { writeExportFile } from './export-writing.js';

/** A third of the share of a core that others get: on a busy machine less would keep exports from ending. */
const NICE = 5;

/** Entry of the thread that writes the file of one export. A second message ends it before the file is whole. */
yieldToOthers();
parentPort?.once('message', (job: ExportThreadJob) => {
  const ending = new AbortController();
  parentPort?.once('message', () => ending.abort());
  // An open port would keep the thread alive.
  void write(job, ending.signal).finally(() => parentPort?.close());
});

async function write({ databaseUrl, storage, baseUrl, record }: ExportThreadJob, signal: AbortSignal) {
  const db = openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    const count = await writeExportFile({ db, storage: createStorage(storage), baseUrl }, record, {
      onRows: (soFar) => tell({ kind: 'rows', count: soFar }),
      signal,
    });
    tell({ kind: 'written', count });
  } catch (error) {
    if (!(error instanceof ExportEndedError)) throw error;
    tell({ kind: 'ended' });
  } finally {
    await db.close();
  }
}

/** Several threads may take every core from what somebody waits for. Only Linux has priorities of single threads. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  // A process that gives way already may not take that back.
  setPriority(Math.max(getPriority(), NICE));
}

function tell(news: ExportThreadNews): void {
  parentPort?.postMessage(news);
}
