import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { personalAccessTokens, recipients, users } from '../../tables/index.js';
import { type IdPage, selectAfterId } from '../keyset.js';

/** Names the one owner of a new token. */
export type NewTokenOwner = { userId: number } | { recipientId: number };

/**
 * Inserts a token and returns its id.
 * @throws DatabaseError when the owner does not exist
 */
export async function insertToken(
  db: Executor,
  token: NewTokenOwner & { name: string; tokenHash: Buffer },
): Promise<number> {
  return await personalAccessTokens.insert(db, token);
}

const t = personalAccessTokens.as('t');
const u = users.as('u');
const p = recipients.as('p');
const USER = shape({
  id: u.id,
  accountId: u.accountId,
  isPremium: u.isPremium,
  premiumUntil: u.premiumUntil,
});
const RECIPIENT = shape({ id: p.id, phone: p.phone });
const TOKEN = shape({
  id: t.id,
  /** SHA-256 of its secret, 32 bytes. */
  hash: t.tokenHash,
  lastUsedAt: t.lastUsedAt,
  /** Null where the account of its user is disabled. */
  owner: shape({
    user: USER.map((user) => ({ kind: 'user' as const, ...user })).or(null),
    recipient: RECIPIENT.map((recipient) => ({ kind: 'recipient' as const, ...recipient })).or(null),
  }).map(({ user, recipient }) => user ?? recipient),
});

/** Whose token it is: a merchant's user, or a recipient of the recipient app. Times: ISO 8601 UTC. */
export type TokenOwner = NonNullable<Selected<typeof TOKEN>['owner']>;

/** A token with its owner, in one statement; null when there is none with this id. */
export async function findToken(db: Executor, id: number): Promise<Selected<typeof TOKEN> | null> {
  return await TOKEN.first(
    db,
    `FROM personal_access_tokens t
     LEFT JOIN (users u JOIN accounts a ON a.id = u.account_id AND a.disabled_at IS NULL) ON u.id = t.user_id
     LEFT JOIN recipients p ON p.id = t.recipient_id
     WHERE t.id = ?`,
    [id],
  );
}

const LISTED = personalAccessTokens.pick('id', 'userId', 'recipientId', 'name', 'lastUsedAt', 'createdAt');

/** A personal access token without its secret; of a user or of a recipient. Timestamps: ISO 8601 UTC. */
export type ListedToken = Selected<typeof LISTED>;

/** Tokens after an id, by ascending id; of one owner, or of all. */
export async function listTokens(
  db: Executor,
  page: IdPage & { userId?: number; recipientId?: number },
): Promise<ListedToken[]> {
  const { userId, recipientId } = page;
  const where = [['user_id = ?', userId] as const, ['recipient_id = ?', recipientId] as const];
  return await selectAfterId(db, LISTED, { from: 'personal_access_tokens', where, id: 'id' }, page);
}

/** One token without its secret; null when there is none with this id. */
export async function findListedToken(db: Executor, id: number): Promise<ListedToken | null> {
  return await personalAccessTokens.findOne(db, LISTED, { id });
}

/** Revokes a token at once; false when there is none with this id. */
export async function deleteToken(db: Executor, id: number): Promise<boolean> {
  const { affectedRows } = await db.run('DELETE FROM personal_access_tokens WHERE id = ?', [id]);
  return affectedRows === 1;
}
