import ipaddr from 'ipaddr.js';

/**
 * The unit of limits by address: an IPv4 address, or the /64 of an IPv6 address, the least that a subscriber gets.
 * Empty if the address is unknown.
 */
export function callerAddress({ ip }: { ip?: string | undefined }): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return ip ?? '';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
