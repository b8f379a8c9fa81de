import { AppError, type ErrorCode } from '../../../domain/errors.js';
import { Slots } from '../../../lib/limits/slots.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { createThreads } from '../../../lib/threads.js';
import { type BatchBody, readBatchBody } from './body.js';

/** The request whose body is read. */
interface BatchBodySource {
  accountId: number;
  licenseKeyInQuery: string | undefined;
  admit: () => Promise<void>;
}

export interface ThreadJob {
  bytes: Uint8Array;
  licenseKeyInQuery: string | undefined;
}

export type ThreadReply =
  | { kind: 'read'; body: BatchBody }
  | { kind: 'refused'; code: ErrorCode; message: string };

const threads = createThreads<ThreadJob, ThreadReply>({
  file: new URL('./body-thread.js', import.meta.url),
  name: 'readInThread',
  // Above the need of the largest body, with a small young generation.
  heap: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
  // Limits memory.
  most: 1,
});
/** Accounts take turns, so that one cannot delay the others. */
const turns = new Slots({ total: 1 });

/**
 * Like {@link readBatchBody}, but parses large bodies in a thread: 16 MiB take a second or more, which would
 * block the process. `bytes` must not be used afterwards. `admit` is called before waiting for a thread and
 * throws if the batch would be refused. @throws AppError
 */
export async function readBatchBodyAside(
  bytes: Buffer,
  { accountId, licenseKeyInQuery, admit }: BatchBodySource,
): Promise<BatchBody> {
  if (bytes.length < LIMITS.requests.asideFromBytes) return readBatchBody(bytes, licenseKeyInQuery);
  await admit();
  const reply = await turns.use(() => read({ bytes, licenseKeyInQuery }), accountId);
  if (reply.kind === 'refused') throw new AppError(reply.code, reply.message);
  return reply.body;
}

function read(job: ThreadJob): Promise<ThreadReply> {
  const { buffer } = job.bytes;
  return threads.run(job, { transferList: buffer instanceof ArrayBuffer ? [buffer] : [] });
}
