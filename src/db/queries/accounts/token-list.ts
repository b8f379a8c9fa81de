import type { Executor } from '../../database.js';
import type { Selected } from '../../selection.js';
import { personalAccessTokens } from '../../tables/index.js';
import type { NewTokenOwner } from './access-tokens.js';

const TOKEN = personalAccessTokens.pick('id', 'userId', 'recipientId', 'name', 'lastUsedAt', 'createdAt');

/** A personal access token without its secret; of a user or of a recipient. Timestamps: ISO 8601 UTC. */
export type ListedToken = Selected<typeof TOKEN>;

/** Tokens after an id, by ascending id; of one owner, or of all. */
export async function listTokens(
  db: Executor,
  page: { owner: NewTokenOwner | undefined; afterId: number; limit: number },
): Promise<ListedToken[]> {
  const { owner, afterId, limit } = page;
  const [filter, values] =
    owner === undefined
      ? ['', []]
      : 'userId' in owner
        ? ['AND user_id = ?', [owner.userId]]
        : ['AND recipient_id = ?', [owner.recipientId]];
  return await TOKEN.select(
    db,
    `FROM personal_access_tokens WHERE id > ? ${filter} ORDER BY id LIMIT ${limit}`,
    [afterId, ...values],
  );
}

/** One token without its secret; null when there is none with this id. */
export async function findListedToken(db: Executor, id: number): Promise<ListedToken | null> {
  return await personalAccessTokens.findOne(db, TOKEN, { id });
}

/** Revokes a token at once; false when there is none with this id. */
export async function deleteToken(db: Executor, id: number): Promise<boolean> {
  const { affectedRows } = await db.run('DELETE FROM personal_access_tokens WHERE id = ?', [id]);
  return affectedRows === 1;
}
