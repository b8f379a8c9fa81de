import { AppError, type ErrorCode } from '../../../domain/errors.js';
import { createLimit } from '../../../lib/limits/in-turns.js';
import { createThreads } from '../../../lib/threads.js';
import { type BatchBody, readBatchBody } from './body.js';

/** Whose body is read. */
export interface BatchBodySource {
  accountId: number;
  licenseKeyInQuery: string | undefined;
  /** @throws AppError */
  admit: () => Promise<void>;
}

/** What the thread is to read. */
export interface ThreadJob {
  bytes: Uint8Array;
  licenseKeyInQuery: string | undefined;
}

/** What the thread answers. */
export type ThreadReply =
  | { kind: 'read'; body: BatchBody }
  | { kind: 'refused'; code: ErrorCode; message: string };

/** Below it a thread's start takes longer than the work. */
const ASIDE_FROM_BYTES = 128 * 1024;
const threads = createThreads<ThreadJob, ThreadReply>({
  file: new URL('./body-thread.js', import.meta.url),
  name: 'readInThread',
  // More than the largest body needs, and little that is not collected soon.
  heap: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  // Bounds the memory.
  most: 1,
});
/** Accounts take turns, so that the bodies of one keep no other waiting. */
const limited = createLimit(1);

/**
 * Reads the body of a batch as {@link readBatchBody}. Sixteen MiB take a second or more, in which a process would answer
 * nobody, so that a large body is read by a thread of its own, whose memory ends with it. `bytes` are of no use
 * afterwards. `admit` is asked before a thread is waited for, and throws where the batch would be refused anyway.
 */
export async function readBatchBodyAside(
  bytes: Buffer,
  { accountId, licenseKeyInQuery, admit }: BatchBodySource,
): Promise<BatchBody> {
  if (bytes.length < ASIDE_FROM_BYTES) return readBatchBody(bytes, licenseKeyInQuery);
  await admit();
  const reply = await limited(() => read({ bytes, licenseKeyInQuery }), accountId);
  if (reply.kind === 'refused') throw new AppError(reply.code, reply.message);
  return reply.body;
}

function read(job: ThreadJob): Promise<ThreadReply> {
  const { buffer } = job.bytes;
  return threads.run(job, { transferList: buffer instanceof ArrayBuffer ? [buffer] : [] });
}
