import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { personalAccessTokens, recipients, users } from '../../tables/index.js';

/** Whose token it is: a merchant's user, or a recipient of the recipient app. Times: ISO 8601 UTC. */
export type TokenOwner =
  | { kind: 'user'; id: number; accountId: number; isPremium: boolean; premiumUntil: string | null }
  | { kind: 'recipient'; id: number; phone: string };

/** Names the one owner of a new token. */
export type NewTokenOwner = { userId: number } | { recipientId: number };

/**
 * Inserts a token and returns its id.
 * @throws DatabaseError when the owner does not exist
 */
export async function insertToken(
  db: Executor,
  token: NewTokenOwner & { name: string; hash: Buffer },
): Promise<number> {
  const { name, hash: tokenHash, ...owner } = token;
  return await personalAccessTokens.insert(db, { ...owner, name, tokenHash });
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
  user: USER.map((user) => ({ kind: 'user' as const, ...user })).or(null),
  recipient: RECIPIENT.map((recipient) => ({ kind: 'recipient' as const, ...recipient })).or(null),
});

/** A token with its owner, in one statement; null when there is none with this id, or its account is disabled. */
export async function findToken(
  db: Executor,
  id: number,
): Promise<(Pick<Selected<typeof TOKEN>, 'id' | 'hash' | 'lastUsedAt'> & { owner: TokenOwner }) | null> {
  const found = await TOKEN.first(
    db,
    `FROM personal_access_tokens t
     LEFT JOIN (users u JOIN accounts a ON a.id = u.account_id AND a.disabled_at IS NULL) ON u.id = t.user_id
     LEFT JOIN recipients p ON p.id = t.recipient_id
     WHERE t.id = ?`,
    [id],
  );
  const owner: TokenOwner | null | undefined = found?.user ?? found?.recipient;
  return found && owner ? { id: found.id, hash: found.hash, lastUsedAt: found.lastUsedAt, owner } : null;
}

/** Records that the token was used now, unless that was recorded within the last `seconds`. */
export async function touchToken(
  db: Executor,
  { id, seconds }: { id: number; seconds: number },
): Promise<void> {
  await db.run(
    `UPDATE personal_access_tokens SET last_used_at = UTC_TIMESTAMP(6)
     WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= UTC_TIMESTAMP(6) - INTERVAL ? SECOND)`,
    [id, seconds],
  );
}
