import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { sharedByKey } from '../lib/limits/shared-by-key.js';
import { Slots } from '../lib/limits/slots.js';

const LOOKUP_MS = 2000;

export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** The name has no address, or its servers do not answer. */
class UnresolvedError extends Error {
  readonly code = 'ENOTFOUND';
}

/**
 * A resolver for untrusted names. The system's resolver blocks the thread pool that files and connections need:
 * a few names with silent servers would stop everything. This one asks the system's name servers with a
 * timeout, after `/etc/hosts`; search domains are not used. Concurrent look-ups of a name share the answer.
 */
export function createResolver(options: { servers?: readonly string[]; hostsFile?: string } = {}): Resolve {
  const { servers, hostsFile = '/etc/hosts' } = options;
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  const slots = new Slots({ total: 64 });
  const lookUp = sharedByKey(async (name: string) => {
    const listed = await inHosts(hostsFile, name);
    if (listed.length > 0) return listed;
    return await slots.use(() => ask(resolver, name));
  });
  return (hostname) => lookUp(hostname.toLowerCase().replace(/\.$/, ''));
}

async function ask(resolver: Resolver, name: string): ReturnType<Resolve> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0) throw new UnresolvedError('The host name does not resolve.');
  return found;
}

async function inHosts(file: string, name: string): ReturnType<Resolve> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    const isNamed = names.some((one) => one.toLowerCase() === name);
    return family !== 0 && isNamed ? [{ address, family }] : [];
  });
}
