import type { Worker } from 'node:worker_threads';
import { createLimit } from '../lib/limits/in-turns.js';
import { askThread, startThread } from '../lib/thread.js';
import { isWholePdf } from './pdf.js';

/**
 * Pages of a PDF that can be read without a password. Null for bytes that are none, and for those that take more time or
 * memory than a label needs. `sender`: whose PDF it is.
 */
export type PdfPageCounter = (bytes: Buffer, sender: string) => Promise<number | null>;

/** For one file; the largest that a label may be takes a second or two. */
const TIMEOUT_MS = 10_000;
/** Loading the library takes a thread a third of a second, so that it waits for the next file as long. */
const KEPT_MS = 30_000;
/** Of the thread: several times what the objects of the largest file need. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/**
 * Counts in a thread of its own: a few KB of somebody else can be made to take minutes, or gigabytes. One file at a time,
 * which bounds the memory; senders take turns, so that the files of one keep no other waiting.
 */
export function createPdfPageCounter({ timeoutMs = TIMEOUT_MS } = {}): PdfPageCounter {
  const limited = createLimit(1);
  let kept: Worker | undefined;
  let leaving: NodeJS.Timeout | undefined;

  function begin(): Worker {
    const thread = startThread(new URL('./pdf-thread.js', import.meta.url), HEAP);
    // It may also fail while nobody asks it.
    thread.on('error', () => void end(thread));
    kept = thread;
    return thread;
  }

  async function end(thread: Worker): Promise<void> {
    if (kept === thread) kept = undefined;
    await thread.terminate();
  }

  async function count(bytes: Buffer): Promise<number | null> {
    clearTimeout(leaving);
    const thread = kept ?? begin();
    // A thread that computes reads no messages, so that only its end helps.
    const timer = setTimeout(() => void end(thread), timeoutMs);
    thread.ref();
    try {
      const pages = await askThread<number | null>(thread, bytes);
      thread.unref();
      leaving = setTimeout(() => void end(thread), KEPT_MS).unref();
      return pages;
    } catch {
      await end(thread);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  return async (bytes, sender) => (isWholePdf(bytes) ? await limited(() => count(bytes), sender) : null);
}
