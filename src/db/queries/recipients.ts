import type { Executor, Row } from '../database.js';
import { int, iso, text } from '../row.js';
import { insertRow } from '../sql.js';

/** A user of the recipient app. Timestamps: ISO 8601 UTC with microseconds. */
export interface RecipientRecord {
  id: number;
  name: string;
  /** As the user spelt it; unique. */
  phone: string;
  createdAt: string;
  updatedAt: string;
}

/** The recipient who registered exactly this phone; null when nobody did. */
export async function findRecipientByPhone(db: Executor, phone: string): Promise<RecipientRecord | null> {
  const [row] = await db.select(
    'SELECT id, name, phone, created_at, updated_at FROM recipients WHERE phone = ?',
    [phone],
  );
  return row === undefined ? null : toRecipient(row);
}

/**
 * Inserts a recipient and returns the row.
 * @throws DatabaseError a duplicate when the phone is registered
 */
export async function insertRecipient(
  db: Executor,
  recipient: { name: string; phone: string },
): Promise<RecipientRecord> {
  const id = await insertRow(db, 'recipients', recipient);
  const [row] = await db.select(
    'SELECT id, name, phone, created_at, updated_at FROM recipients WHERE id = ?',
    [id],
  );
  if (row === undefined) throw new Error('The recipient is missing right after its insertion.');
  return toRecipient(row);
}

/** The recipient with this id; null when there is none. */
export async function findRecipient(db: Executor, recipientId: number): Promise<RecipientRecord | null> {
  const [row] = await db.select(
    'SELECT id, name, phone, created_at, updated_at FROM recipients WHERE id = ?',
    [recipientId],
  );
  return row === undefined ? null : toRecipient(row);
}

/** Recipients by ascending id, those after an id. */
export async function listRecipients(
  db: Executor,
  page: { afterId: number; limit: number },
): Promise<RecipientRecord[]> {
  const rows = await db.select(
    `SELECT id, name, phone, created_at, updated_at FROM recipients WHERE id > ? ORDER BY id LIMIT ${page.limit}`,
    [page.afterId],
  );
  return rows.map(toRecipient);
}

function toRecipient(row: Row): RecipientRecord {
  return {
    id: int(row, 'id'),
    name: text(row, 'name'),
    phone: text(row, 'phone'),
    createdAt: iso(row, 'created_at'),
    updatedAt: iso(row, 'updated_at'),
  };
}
