import { Agent } from 'undici';
import { LIMITS } from '../lib/limits/values.js';
import { createAddressPolicy } from './addresses.js';
import { type GuardOptions, guardedConnector } from './guarded-client.js';
import { createResolver } from './resolver.js';

/**
 * A connection pool to public addresses only, for destinations that someone else chose. Others fail with the
 * code `FORBIDDEN_ADDRESS` before anything is sent.
 */
export function createGuardedAgent(options: GuardOptions): Agent {
  const policy = createAddressPolicy(options.allowedRanges, options.deniedRanges);
  return new Agent({
    connect: guardedConnector(policy, options.resolve ?? createResolver()),
    maxHeaderSize: LIMITS.webhooks.headerBytes,
    pipelining: 1,
  });
}
