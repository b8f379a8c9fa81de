import { createThreads } from '../../lib/threads.js';
import type { Outcome, PickupPoint } from '../contract.js';
import { readPoints, type XmlReply } from './replies.js';

/** Below it a thread's start takes longer than the work. */
const ASIDE_FROM_BYTES = 128 * 1024;
const threads = createThreads<XmlReply, Outcome<PickupPoint[]>>({
  file: new URL('./replies.js', import.meta.url),
  name: 'readPoints',
  // More than the largest reply needs, and little that is not collected soon.
  heap: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 },
  // Bounds the memory.
  most: 1,
});

/**
 * Reads the reply of `ws_spotslist` as {@link readPoints}. Megabytes of XML take seconds, in which no booking of the
 * process would heartbeat, so that a long list is read by a thread of its own, whose memory ends with it.
 */
export async function readPointsAside({ body, contentType }: XmlReply): Promise<Outcome<PickupPoint[]>> {
  if (body.length < ASIDE_FROM_BYTES) return readPoints({ body, contentType });
  return await threads.run({ body, contentType });
}
