import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address with the port that some proxies write behind it. */
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
/** An IPv6 address in brackets, as before a port. */
const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/;

/**
 * The unit of limits by address: an IPv4 address, or the /64 of an IPv6 address, the least that a subscriber gets.
 * Empty if the address is unknown: all callers whose address cannot be read are one.
 */
export function callerAddress({ ip = '' }: { ip?: string | undefined }): string {
  const text = ip.replaceAll('"', '').trim();
  const [, bare = text] = WITH_PORT.exec(text) ?? BRACKETED.exec(text) ?? [];
  if (isIP(bare) === 0) return '';
  const address = ipaddr.process(bare);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
