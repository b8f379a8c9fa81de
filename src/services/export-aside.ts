import type { StorageOptions } from '../documents/storage.js';
import { ExportEndedError, type ExportRecord, type ExportWriting } from '../domain/exports.js';
import { startThread } from '../lib/thread.js';

/** Writes the file of an export and returns the number of its rows. @throws ExportEndedError */
export type ExportWriter = (record: ExportRecord, writing: ExportWriting) => Promise<number>;

/** What a thread needs for itself: connections and stores do not travel. */
export interface ExportThreadOptions {
  databaseUrl: string;
  storage: StorageOptions;
  /** Public address of the API, for links. */
  baseUrl: string;
}

/** What the thread is given when it starts. */
export interface ExportThreadJob extends ExportThreadOptions {
  record: ExportRecord;
}

/** What the thread tells: how far it is, and how it ended where it did not fail. */
export type ExportThreadNews =
  | { kind: 'rows'; count: number }
  | { kind: 'written'; count: number }
  | { kind: 'ended' };

/**
 * Of a thread: several times what the pages on their way hold, so that what is not collected yet is bounded too. Rows die
 * young: with a sixth of the room for them a quarter of the time goes into collecting.
 */
const HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 96 };

/** A statement under way may take as long. */
const END_WITHIN_MS = 60_000;

/**
 * Writes each file in a thread of its own: a million rows take a minute of work, in which the process that serves other
 * queues would answer late, and their garbage would stay in its heap. The thread's memory is bounded, and ends with it.
 */
export function exportWriterAside(options: ExportThreadOptions): ExportWriter {
  return (record, { onRows, signal }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const thread = startThread(new URL('./export-thread.js', import.meta.url), HEAP);
      const job: ExportThreadJob = { ...options, record };
      thread.postMessage(job);
      const end = () => {
        thread.postMessage('end');
        // A thread that computes reads no messages.
        const kill = setTimeout(() => void thread.terminate(), END_WITHIN_MS);
        thread.once('exit', () => clearTimeout(kill));
      };
      signal.addEventListener('abort', end, { once: true });
      thread.on('message', (news: ExportThreadNews) => {
        if (news.kind === 'rows') onRows(news.count);
        else if (news.kind === 'written') resolve(news.count);
        else reject(new ExportEndedError());
      });
      const fail = (message: string) => reject(signal.aborted ? signal.reason : new Error(message));
      // What comes out of a thread is a copy, which not everybody takes for an error.
      thread.once('error', ({ message }) => fail(message));
      thread.once('exit', () => fail('The thread ended without an answer.'));
    });
}
