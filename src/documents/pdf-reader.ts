import { createLimit } from '../lib/limits/in-turns.js';
import { createThreads } from '../lib/threads.js';
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

/**
 * Counts in a thread of its own: a few KB of somebody else can be made to take minutes, or gigabytes. One file at a time,
 * which bounds the memory; senders take turns, so that the files of one keep no other waiting.
 */
export function createPdfPageCounter({ timeoutMs = TIMEOUT_MS } = {}): PdfPageCounter {
  const threads = createThreads<Uint8Array, number | null>({
    file: new URL('./pdf-thread.js', import.meta.url),
    name: 'countPages',
    // Several times what the objects of the largest file need.
    heap: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
    most: 1,
    keptMs: KEPT_MS,
  });
  const limited = createLimit(1);
  const count = (bytes: Buffer): Promise<number | null> =>
    // A thread that computes reads no messages: the signal ends it.
    threads.run(bytes, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  return async (bytes, sender) => (isWholePdf(bytes) ? await limited(() => count(bytes), sender) : null);
}
