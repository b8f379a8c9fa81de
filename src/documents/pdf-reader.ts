import { Slots } from '../lib/limits/slots.js';
import { createThreads } from '../lib/threads.js';
import { isWholePdf, type PageCount } from './pdf.js';

const COUNT_MS = 10_000;

/**
 * Counts the pages of a PDF. Null for other bytes, and for files that take more time or memory than a label needs. It counts in a thread, because a malicious file of a few KB can take minutes or gigabytes.
 * One file at a time limits memory; senders, the PDFs' owners, take turns.
 */
export function createPdfPageCounter({ timeoutMs = COUNT_MS } = {}) {
  const threads = createThreads<Uint8Array, PageCount>({
    file: new URL('./pdf-thread.js', import.meta.url),
    name: 'countPages',
    // Several times the need of the largest file.
    heap: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
    most: 1,
    // Loading the library takes a thread a third of a second.
    keptMs: 30_000,
  });
  const turns = new Slots({ total: 1 });
  const count = (bytes: Buffer): Promise<PageCount> =>
    // A busy thread reads no messages, so the signal terminates it.
    threads.run(bytes, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  return async (bytes: Buffer, sender: string): Promise<PageCount> =>
    isWholePdf(bytes) ? await turns.use(() => count(bytes), sender) : null;
}
