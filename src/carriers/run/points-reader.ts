import { LIMITS } from '../../lib/limits/values.js';
import { createThreads } from '../../lib/threads.js';
import type { Outcome, PickupPoint } from '../contract.js';
import { readPoints, type XmlReply } from './replies.js';

const threads = createThreads<XmlReply, Outcome<PickupPoint[]>>({
  file: new URL('./replies.js', import.meta.url),
  name: 'readPoints',
  // Above the need of the largest reply, with a small young generation.
  heap: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 },
  // Limits memory.
  most: 1,
});

/**
 * Like {@link readPoints}, but long lists are parsed in a thread: megabytes of XML take seconds, and would
 * delay the heartbeats of bookings.
 */
export async function readPointsAside({ body, contentType }: XmlReply): Promise<Outcome<PickupPoint[]>> {
  if (body.length < LIMITS.requests.asideFromBytes) return readPoints({ body, contentType });
  return await threads.run({ body, contentType });
}
