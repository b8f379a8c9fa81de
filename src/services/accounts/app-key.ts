import type { Executor } from '../../db/database.js';
import { findServiceSecret, keepServiceSecret } from '../../db/queries/accounts/service-secrets.js';
import { hashSecret } from '../../lib/secrets.js';

/** Name of the stored value that identifies the database's `APP_KEY`. */
const NAME = 'key_check';

/** Stores the check value of a new database. */
export async function noteAppKey(db: Executor, appKey: Buffer): Promise<void> {
  await keepServiceSecret(db, { name: NAME, secretHash: hashSecret(NAME, appKey), secretLast4: '' });
}

/** Whether the database's secrets use this key; true for a new database. */
export async function isAppKey(db: Executor, appKey: Buffer): Promise<boolean> {
  const known = await findServiceSecret(db, NAME);
  return known === null || known.secretHash.equals(hashSecret(NAME, appKey));
}
