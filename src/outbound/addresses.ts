import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DENIED_RANGES } from '../domain/denied-ranges.js';
import { isPortAllowed } from './ports.js';

/** Which addresses may be dialled for somebody who chose the destination. */
export interface AddressPolicy {
  /**
   * Whether the address (a literal of either family, without brackets) is public, or was allowed. A public one is
   * permitted at some ports only; a port that is left out is not looked at.
   */
  permits(address: string, port?: string): boolean;
}

/** All global unicast addresses of IPv6 lie in here; whatever is registered outside later is refused until then. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Public addresses, and those in the allowed ranges (CIDR notation). An address that carries another one inside
 * (IPv4-mapped) is judged by that one; translation prefixes (NAT64, 6to4, Teredo) are refused as a whole,
 * and so is what lies in a denied range.
 * @throws Error for a range that is no CIDR.
 */
export function createAddressPolicy(
  allowedRanges: readonly string[],
  deniedRanges: readonly string[] = DENIED_RANGES,
): AddressPolicy {
  const allowed = allowedRanges.map((range) => ipaddr.parseCIDR(range));
  const denied = deniedRanges.map((range) => ipaddr.parseCIDR(range));
  return {
    permits(address, port = '') {
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

/** The address that a URL's host is written as, or null for a name. `[::1]` → `::1`. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
