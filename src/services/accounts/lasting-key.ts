import { randomBytes } from 'node:crypto';
import type { Executor } from '../../db/database.js';
import { findServiceSecret, keepServiceSecret } from '../../db/queries/accounts/service-secrets.js';
import { SERVICE_SECRETS } from '../../domain/service-secrets.js';
import type { AppKeys } from '../../lib/app-keys.js';

const NAME = SERVICE_SECRETS.lasting;

/**
 * The database's own secret of 32 bytes, sealed with `APP_KEY` and the same when that changes. From it come keys for
 * what cannot be renewed: addresses that were entered at carriers, and hashes that are compared years later. The first
 * reader makes it. @throws UnreadableSecret
 */
export async function lastingKey(db: Executor, appKeys: AppKeys): Promise<Buffer> {
  const stored = await findServiceSecret(db, NAME);
  if (stored !== null) return appKeys.open('lasting key', stored.sealed);
  await keepServiceSecret(db, {
    name: NAME,
    sealed: appKeys.seal('lasting key', randomBytes(32)),
    secretLast4: '',
  });
  return await lastingKey(db, appKeys);
}

/** {@link lastingKey}, read once and kept. */
export function keptLastingKey(db: Executor, appKeys: AppKeys): () => Promise<Buffer> {
  let known: Promise<Buffer> | undefined;
  return async () => {
    known ??= lastingKey(db, appKeys);
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
}
