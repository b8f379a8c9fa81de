import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { StorageOptions } from '../../documents/storage.js';
import { ExportEndedError, type ExportRecord, type ExportWriting } from '../../domain/exports.js';
import { LIMITS } from '../../lib/limits/values.js';
import { type Carried, createThreads, landed } from '../../lib/threads.js';

const END_MS = 60_000;

/** Settings for the thread, which opens its own connections. */
interface ExportThreadOptions {
  databaseUrl: string;
  storage: StorageOptions;
  /** Public address of the API, for links. */
  baseUrl: string;
}

export interface ExportThreadJob extends ExportThreadOptions {
  record: ExportRecord;
  /** Receives the number of rows written so far; a message from it aborts the writing. */
  port: MessagePort;
}

/**
 * Writes each file in a thread: a million rows take a minute of CPU and much garbage, which would delay the
 * process's other queues. What it makes returns the number of rows. @throws ExportEndedError
 */
export function exportWriterAside(
  options: ExportThreadOptions,
): (record: ExportRecord, writing: ExportWriting) => Promise<number> {
  const threads = createThreads<ExportThreadJob, Carried<number | null>>({
    file: new URL('./export-thread.js', import.meta.url),
    name: 'writeExport',
    // Several times what the current pages hold. Rows die young: with a sixth of this young generation, a
    // quarter of the time goes into collecting.
    heap: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 96 },
    most: LIMITS.exports.atOnce,
  });
  return async (record, { onRows, signal }) => {
    signal.throwIfAborted();
    const { port1, port2 } = new MessageChannel();
    const killing = new AbortController();
    let kill: NodeJS.Timeout | undefined;
    const end = () => {
      port1.postMessage('end');
      // A busy thread reads no messages.
      kill = setTimeout(() => killing.abort(), END_MS);
    };
    signal.addEventListener('abort', end, { once: true });
    port1.on('message', onRows);
    const job: ExportThreadJob = { ...options, record, port: port2 };
    try {
      const count = landed(await threads.run(job, { transferList: [port2], signal: killing.signal }));
      if (count !== null) return count;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', end);
      clearTimeout(kill);
      port1.close();
    }
    throw new ExportEndedError();
  };
}
