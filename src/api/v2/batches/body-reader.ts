import { AppError } from '../../../domain/errors.js';
import { Slots } from '../../../lib/limits/slots.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { createThreads } from '../../../lib/threads.js';
import type { RequestBody } from '../../json-body.js';
import { readBatchBody, readInThread } from './body.js';

type Asking = { accountId: number; licenseKeyInQuery: string | undefined; admit: () => Promise<void> };

/**
 * Makes a {@link readBatchBody} that parses large bodies in a thread: 16 MiB take a second or more, which would
 * block the process. `bytes` must not be used afterwards. `admit` is called before waiting for a thread and
 * throws if the batch would be refused. @throws AppError
 */
export function createBatchBodyReader() {
  const threads = createThreads<Parameters<typeof readInThread>[0], ReturnType<typeof readInThread>>({
    file: new URL('./body.js', import.meta.url),
    name: readInThread.name,
    // Above the need of the largest body, with a small young generation.
    heap: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
    // Limits memory.
    most: 1,
  });
  /** Accounts take turns, so that one cannot delay the others. */
  const turns = new Slots({ total: 1 });
  return async (bytes: Buffer, { accountId, licenseKeyInQuery, admit }: Asking): Promise<RequestBody> => {
    if (bytes.length < LIMITS.requests.asideFromBytes) return readBatchBody(bytes, licenseKeyInQuery);
    await admit();
    const { buffer } = bytes;
    const transferList = buffer instanceof ArrayBuffer ? [buffer] : [];
    const job = { bytes, licenseKeyInQuery };
    const reply = await turns.use(() => threads.run(job, { transferList }), accountId);
    if (reply.refused !== undefined) throw new AppError(reply.refused.code, reply.refused.problem);
    return reply.body;
  };
}
