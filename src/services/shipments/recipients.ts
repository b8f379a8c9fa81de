import { type Database, isDuplicateKey } from '../../db/database.js';
import {
  findRecipient,
  insertRecipient,
  type RecipientRecord,
} from '../../db/queries/shipments/recipients.js';
import { issueToken } from '../accounts/access-tokens.js';

/** A signed-in recipient with the plain text of the new token. */
export interface SignedIn {
  recipient: RecipientRecord;
  token: string;
}

/** Signs a recipient in on a device; null for an unregistered phone. Earlier tokens stay valid. */
export async function signInRecipient(
  db: Database,
  { phone, deviceName }: { phone: string; deviceName: string },
): Promise<SignedIn | null> {
  const recipient = await findRecipient(db, { phone });
  if (recipient === null) return null;
  return { recipient, token: await issueToken(db, { recipientId: recipient.id, name: deviceName }) };
}

/** Registers a recipient and signs them in; null when the phone is registered, also by a concurrent request. */
export async function registerRecipient(
  db: Database,
  { name, phone, deviceName }: { name: string; phone: string; deviceName: string },
): Promise<SignedIn | null> {
  try {
    return await db.transaction(async (tx) => {
      const recipient = await insertRecipient(tx, { name, phone });
      return { recipient, token: await issueToken(tx, { recipientId: recipient.id, name: deviceName }) };
    });
  } catch (error) {
    if (isDuplicateKey(error)) return null;
    throw error;
  }
}
