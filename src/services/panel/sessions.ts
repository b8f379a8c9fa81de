import type { Executor } from '../../db/database.js';
import {
  deleteSessions,
  findSession,
  insertSession,
  listSessions,
  type PanelSession,
  touchSession,
} from '../../db/queries/accounts/panel-sessions.js';
import { LIMITS } from '../../lib/limits/values.js';
import { randomToken } from '../../lib/secrets.js';
import { type ActingApp, audited } from '../admin/audited.js';
import type { App } from '../app.js';

type PanelApp = Pick<App<'appKeys'>, 'db' | 'config'>;

/** Where a request comes from, for the list of sessions. */
export interface Visitor {
  address: string;
  browser: string;
}

const { sessionIdleSeconds, sessionSeconds } = LIMITS.panel;
const AGES = { idleSeconds: sessionIdleSeconds, longestSeconds: sessionSeconds };

/** Opens a session and returns its token, of which only the hash is stored. */
export async function openSession(
  app: { db: Executor; config: PanelApp['config'] },
  userId: number,
  visitor: Visitor,
): Promise<string> {
  const token = randomToken('');
  const { address, browser } = visitor;
  const row = {
    tokenHash: app.config.appKeys.hashes('session', token)[0],
    userId,
    address: address.slice(0, 64),
    browser: browser.slice(0, 255),
  };
  await insertSession(app.db, row, AGES);
  return token;
}

/** The session of a token, which counts as used now; null when it has ended. */
export async function sessionOf(app: PanelApp, token: string): Promise<PanelSession | null> {
  const session = await findSession(app.db, app.config.appKeys.hashes('session', token), AGES);
  if (session === null || session.disabledAt !== null) return null;
  const seenSeconds = (Date.now() - Date.parse(session.seenAt)) / 1000;
  if (seenSeconds > LIMITS.callers.tokenUseSeconds) await touchSession(app.db, session.id);
  return session;
}

/** The user's open sessions, newest first. */
export async function sessionsOf(app: Pick<App, 'db'>, userId: number) {
  return await listSessions(app.db, userId, AGES);
}

/** Ends one session of the user, or all but one, and records it. `action`: what the user has done. */
export async function endSessions(
  app: ActingApp,
  { id, accountId }: { id: number; accountId: number | null },
  action: 'panel-users.sign-out' | 'panel-users.end-sessions',
  which: { only: number } | { butNot: number },
): Promise<void> {
  await audited(app, action, async (tx) => {
    await deleteSessions(tx, id, which);
    return { result: undefined, target: { kind: 'panel-user', id }, accountId };
  });
}
