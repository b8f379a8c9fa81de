import type { Executor } from '../database.js';
import { bool, bytes, int, intOrNull, isoOrNull, text } from '../row.js';
import { insertRow } from '../sql.js';

/** Whose token it is: a merchant's user, or a recipient of the recipient app. Times: ISO 8601 UTC. */
export type TokenOwner =
  | { kind: 'user'; id: number; accountId: number; isPremium: boolean; premiumUntil: string | null }
  | { kind: 'recipient'; id: number; phone: string };

/** A stored token. `hash`: SHA-256 of its secret, 32 bytes. */
interface TokenRecord {
  id: number;
  hash: Buffer;
  lastUsedAt: string | null;
  owner: TokenOwner;
}

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
  return insertRow(db, 'personal_access_tokens', {
    user_id: 'userId' in token ? token.userId : null,
    recipient_id: 'recipientId' in token ? token.recipientId : null,
    name: token.name,
    token_hash: token.hash,
  });
}

/** A token with its owner, in one statement; null when there is none with this id. */
export async function findToken(db: Executor, id: number): Promise<TokenRecord | null> {
  const [row] = await db.select(
    `SELECT t.id, t.token_hash, t.last_used_at, t.user_id, t.recipient_id,
       u.account_id, u.is_premium, u.premium_until, p.phone
     FROM personal_access_tokens t
     LEFT JOIN users u ON u.id = t.user_id
     LEFT JOIN recipients p ON p.id = t.recipient_id
     WHERE t.id = ?`,
    [id],
  );
  if (row === undefined) return null;
  const userId = intOrNull(row, 'user_id');
  return {
    id: int(row, 'id'),
    hash: bytes(row, 'token_hash'),
    lastUsedAt: isoOrNull(row, 'last_used_at'),
    owner:
      userId === null
        ? { kind: 'recipient', id: int(row, 'recipient_id'), phone: text(row, 'phone') }
        : {
            kind: 'user',
            id: userId,
            accountId: int(row, 'account_id'),
            isPremium: bool(row, 'is_premium'),
            premiumUntil: isoOrNull(row, 'premium_until'),
          },
  };
}

/** Notes that the token was used now, unless that was noted within the last `seconds`. */
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
