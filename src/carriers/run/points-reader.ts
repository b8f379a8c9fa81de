import { createLimit } from '../../lib/limits/in-turns.js';
import { askThread, startThread } from '../../lib/thread.js';
import type { Outcome, PickupPoint } from '../contract.js';
import { readPoints, type XmlReply } from './replies.js';

/** Below it a thread's start takes longer than the work. */
const ASIDE_FROM_BYTES = 128 * 1024;
/** Of a thread: more than the largest reply needs, and little that is not collected soon. */
const HEAP = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };
/** The threads' memory is bounded by their number. */
const limited = createLimit(1);

/**
 * Reads the reply of `ws_spotslist` as {@link readPoints}. Megabytes of XML take seconds, in which no booking of the
 * process would heartbeat, so that a long list is read by a thread of its own, whose memory ends with it.
 */
export async function readPointsAside({ body, contentType }: XmlReply): Promise<Outcome<PickupPoint[]>> {
  if (body.length < ASIDE_FROM_BYTES) return readPoints({ body, contentType });
  return await limited(() => {
    const thread = startThread(new URL('./points-thread.js', import.meta.url), HEAP);
    return askThread<Outcome<PickupPoint[]>>(thread, { body, contentType });
  });
}
