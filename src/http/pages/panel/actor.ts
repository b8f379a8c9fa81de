import type { Actor } from '../../../domain/audit.js';
import type { Visit } from './screen.js';

/** The user as the audit names it. */
export function actorOf({ user, visitor }: Pick<Visit, 'user' | 'visitor'>): Actor {
  return { kind: 'panel', name: user.email, origin: visitor.address };
}

/** The process's parts for a change by the user. */
export function actingApp<T extends Pick<Visit, 'app' | 'user' | 'visitor'>>(
  visit: T,
): T['app'] & { actor: Actor } {
  return { ...visit.app, actor: actorOf(visit) };
}
