import type { Unreadable } from '../../documents/imports/table.js';
import type { ImportColumns } from '../../domain/imports/fields.js';
import type { ImportedOrder } from '../../domain/imports/orders.js';
import { Slots } from '../../lib/limits/slots.js';
import { createThreads } from '../../lib/threads.js';
import type { Reading, ReadingJob } from './reading-thread.js';

const READ_MS = 20_000;
const FILES_AT_ONCE = 1;

export interface ImportApp {
  readImport: ReturnType<typeof createImportReader>;
}

/** Reads files of orders in threads; accounts take turns. */
export function createImportReader() {
  const turns = new Slots({ total: FILES_AT_ONCE });
  const threads = createThreads<ReadingJob, Reading>({
    file: new URL('./reading-thread.js', import.meta.url),
    name: 'readImport',
    // A workbook's cells are objects: one of the largest that may be unpacked needs most of this.
    heap: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 },
    most: FILES_AT_ONCE,
    // The next step of the same person.
    keptMs: 10_000,
  });
  return async (job: ReadingJob, accountId: number): Promise<Reading> => {
    try {
      // The time is that of the reading, without the wait for its turn.
      return await turns.use(() => threads.run(job, { signal: AbortSignal.timeout(READ_MS) }), accountId);
    } catch (error) {
      const reason = refusalFor(error);
      if (reason === null) throw error;
      return reason;
    }
  };
}

/** The refusal of a file by the thread's bounds; null for an error of ours. */
function refusalFor(error: unknown): Unreadable | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'too_large';
  return error.name === 'AbortError' ? 'took_too_long' : null;
}

/** A file's table as it is stored, with its header and first rows; or why it cannot be read. @throws what the thread throws */
export async function readFile(
  { readImport }: ImportApp,
  file: Buffer,
  { accountId, language }: { accountId: number; language: string },
): Promise<{ packed: Buffer; header: string[]; sample: string[][] } | Unreadable> {
  const reading = await readImport({ file, language }, accountId);
  if (typeof reading === 'string') return reading;
  if (!('packed' in reading)) return 'unreadable';
  return { ...reading, packed: Buffer.from(reading.packed) };
}

/** The orders of a stored table. */
export async function readOrders(
  { readImport }: ImportApp,
  packed: Buffer,
  { accountId, columns }: { accountId: number; columns: ImportColumns },
): Promise<ImportedOrder[] | Unreadable> {
  const reading = await readImport({ packed, columns }, accountId);
  if (typeof reading === 'string') return reading;
  return 'orders' in reading ? reading.orders : 'unreadable';
}
