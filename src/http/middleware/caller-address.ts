import ipaddr from 'ipaddr.js';

/**
 * What limits by address count: an IPv4 address, or the /64 of an IPv6 address, which is what one subscriber is
 * given at least. Empty where the address is not known.
 */
export function callerAddress({ ip }: { ip?: string | undefined }): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return ip ?? '';
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
