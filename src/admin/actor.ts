import { hostname, userInfo } from 'node:os';
import type { Actor } from '../domain/audit.js';

/** The person at this program: the given name, else the user of the operating system. */
export function actorOf(name: unknown): Actor {
  return { kind: 'admin', name: typeof name === 'string' ? name : osUser(), origin: hostname() };
}

/** A container's user may have no name. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
