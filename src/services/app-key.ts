import type { Executor } from '../db/database.js';
import { findServiceSecret, keepServiceSecret } from '../db/queries/service-secrets.js';
import { hashSecret } from '../lib/secrets.js';

/** Under this name the database keeps what tells its `APP_KEY` from others. */
const NAME = 'key_check';

/** Notes the key of a database that knows none yet. */
export async function noteAppKey(db: Executor, appKey: Buffer): Promise<void> {
  await keepServiceSecret(db, { name: NAME, secretHash: hashSecret(NAME, appKey), last4: '' });
}

/** Whether this key is the one under which the database's secrets stand, or it knows none yet. */
export async function isAppKey(db: Executor, appKey: Buffer): Promise<boolean> {
  const known = await findServiceSecret(db, NAME);
  return known === null || known.equals(hashSecret(NAME, appKey));
}
