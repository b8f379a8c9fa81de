import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { accounts, panelSessions, panelUsers } from '../../tables/index.js';
import type { NewRowOf } from '../../tables/table.js';

const s = panelSessions.as('s');
const u = panelUsers.as('u');
const a = accounts.as('a');
const SESSION = shape({
  id: s.id,
  seenAt: s.seenAt,
  user: shape({
    id: u.id,
    accountId: u.accountId,
    email: u.email,
    name: u.name,
    role: u.role,
    language: u.language,
  }),
  /** When the user's account was disabled; null for an open one, and for users without one. */
  disabledAt: a.disabledAt.or(null),
});
const LISTED = panelSessions.pick('id', 'address', 'browser', 'seenAt', 'createdAt');

/** A session with its user. */
export type PanelSession = Selected<typeof SESSION>;

/** Ages in seconds after which a session has ended: without a request, and at all. */
interface SessionAges {
  idleSeconds: number;
  longestSeconds: number;
}

const OPEN = 's.seen_at > NOW(6) - INTERVAL ? SECOND AND s.created_at > NOW(6) - INTERVAL ? SECOND';

/** The open session with one of the hashes of a token, and its active user; null when there is none. */
export async function findSession(
  db: Executor,
  tokenHashes: readonly Buffer[],
  ages: SessionAges,
): Promise<PanelSession | null> {
  return await SESSION.first(
    db,
    `FROM panel_sessions s JOIN panel_users u ON u.id = s.user_id AND u.is_active
     LEFT JOIN accounts a ON a.id = u.account_id WHERE s.token_hash IN (${placeholders(tokenHashes.length)}) AND ${OPEN}`,
    [...tokenHashes, ages.idleSeconds, ages.longestSeconds],
  );
}

/** The user's open sessions, newest first. */
export async function listSessions(
  db: Executor,
  userId: number,
  ages: SessionAges,
): Promise<Selected<typeof LISTED>[]> {
  return await LISTED.select(db, `FROM panel_sessions s WHERE s.user_id = ? AND ${OPEN} ORDER BY s.id DESC`, [
    userId,
    ages.idleSeconds,
    ages.longestSeconds,
  ]);
}

/** Opens a session. The user's sessions that have ended by age are deleted with it. */
export async function insertSession(
  db: Executor,
  session: NewRowOf<typeof panelSessions> & { userId: number },
  ages: SessionAges,
): Promise<void> {
  await db.run(`DELETE s FROM panel_sessions s WHERE s.user_id = ? AND NOT (${OPEN})`, [
    session.userId,
    ages.idleSeconds,
    ages.longestSeconds,
  ]);
  await panelSessions.insert(db, session);
}

/** Records that a session was used now. */
export async function touchSession(db: Executor, id: number): Promise<void> {
  await db.run('UPDATE panel_sessions SET seen_at = NOW(6) WHERE id = ?', [id]);
}

/** Ends a user's sessions: one, or all but one. */
export async function deleteSessions(
  db: Executor,
  userId: number,
  which: { only?: number; butNot?: number } = {},
): Promise<void> {
  const { only, butNot } = which;
  const [filter, values] =
    only !== undefined ? ['AND id = ?', [only]] : butNot !== undefined ? ['AND id <> ?', [butNot]] : ['', []];
  await db.run(`DELETE FROM panel_sessions WHERE user_id = ? ${filter}`, [userId, ...values]);
}
