import { Agent } from 'undici';
import { createAddressPolicy } from './addresses.js';
import { guardedConnector } from './guarded-client.js';
import { createResolver, type Resolve } from './resolver.js';

const MAX_HEADER_BYTES = 16_384;

/**
 * A pool of connections to public addresses only, for requests whose destination somebody else chose. Others fail with the
 * code `FORBIDDEN_ADDRESS` before anything is sent. The options are those of `createGuardedClient`.
 */
export function createGuardedAgent(options: {
  allowedRanges: readonly string[];
  deniedRanges?: readonly string[];
  resolve?: Resolve;
}): Agent {
  const policy = createAddressPolicy(options.allowedRanges, options.deniedRanges);
  return new Agent({
    connect: guardedConnector(policy, options.resolve ?? createResolver()),
    maxHeaderSize: MAX_HEADER_BYTES,
    pipelining: 1,
  });
}
