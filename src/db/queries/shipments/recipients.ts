import type { Executor } from '../../database.js';
import { recipients } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';

const RECIPIENT = recipients.pick('id', 'name', 'phone', 'createdAt', 'updatedAt');

/** A user of the recipient app. Timestamps: ISO 8601 UTC with microseconds. `phone`: as the user spelt it; unique. */
export type RecipientRecord = RowOf<typeof recipients>;

/** The recipient with this id, or registered with exactly this phone; null when there is none. */
export async function findRecipient(
  db: Executor,
  by: { id: number } | { phone: string },
): Promise<RecipientRecord | null> {
  return await recipients.findOne(db, RECIPIENT, by);
}

/**
 * Inserts a recipient and returns the row.
 * @throws DatabaseError a duplicate when the phone is registered
 */
export async function insertRecipient(
  db: Executor,
  recipient: { name: string; phone: string },
): Promise<RecipientRecord> {
  const id = await recipients.insert(db, recipient);
  const row = await findRecipient(db, { id });
  if (row === null) throw new Error('The recipient is missing right after its insertion.');
  return row;
}

/** Recipients after an id, by ascending id. */
export async function listRecipients(
  db: Executor,
  page: { afterId: number; limit: number },
): Promise<RecipientRecord[]> {
  return await RECIPIENT.select(db, `FROM recipients WHERE id > ? ORDER BY id LIMIT ${page.limit}`, [
    page.afterId,
  ]);
}
