import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DENIED_RANGES } from '../domain/denied-ranges.js';
import { isPortAllowed } from './ports.js';

/** Which addresses may be dialled for a destination that someone else chose. */
export type AddressPolicy = ReturnType<typeof createAddressPolicy>;

/** All global unicast IPv6 addresses; ranges registered elsewhere later stay refused. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Permits public addresses and the allowed ranges (CIDR). An IPv4-mapped address is judged as IPv4. Denied
 * ranges and translation prefixes (NAT64, 6to4, Teredo) are refused. @throws Error for an invalid range
 */
export function createAddressPolicy(
  allowedRanges: readonly string[],
  deniedRanges: readonly string[] = DENIED_RANGES,
) {
  const allowed = allowedRanges.map((range) => ipaddr.parseCIDR(range));
  const denied = deniedRanges.map((range) => ipaddr.parseCIDR(range));
  return {
    /**
     * Whether the address (a literal without brackets) is public or allowed. Public ones are permitted at some
     * ports only; an omitted port is not checked.
     */
    permits(address: string, port = ''): boolean {
      if (isIP(address) === 0) return false;
      const parsed = ipaddr.process(address);
      if (isIn(denied, parsed)) return false;
      return isIn(allowed, parsed) || (isPublic(parsed) && isPortAllowed(port));
    },
  };
}

function isIn(
  ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][],
  address: ipaddr.IPv4 | ipaddr.IPv6,
): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}

/** The literal address in a URL's host, or null for a name. `[::1]` → `::1`. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
