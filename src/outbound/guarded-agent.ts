import { Agent } from 'undici';
import { createAddressPolicy } from './addresses.js';
import { type GuardOptions, guardedConnector, MAX_HEADER_BYTES } from './guarded-client.js';
import { createResolver } from './resolver.js';

/**
 * A connection pool to public addresses only, for destinations that someone else chose. Others fail with the
 * code `FORBIDDEN_ADDRESS` before anything is sent.
 */
export function createGuardedAgent(options: GuardOptions): Agent {
  const policy = createAddressPolicy(options.allowedRanges, options.deniedRanges);
  return new Agent({
    connect: guardedConnector(policy, options.resolve ?? createResolver()),
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
  });
}
