import type { Database } from '../../db/database.js';
import {
  type AuthRecord,
  findByClientId,
  findCredentials,
  touchCredentials,
} from '../../db/queries/accounts/credentials.js';
import { sharedByKey } from '../../lib/limits/shared-by-key.js';
import { LIMITS } from '../../lib/limits/values.js';
import { hashSecret, isSameHash } from '../../lib/secrets.js';

/** The caller's credentials: the id, and the secret as its keyed hash of 32 bytes. */
export interface Credentials {
  clientId: string;
  secretHash: Buffer;
}

/** Longer than any issued id or secret. */
const MAX_CREDENTIAL_LENGTH = 256;

/** Reads the two credential headers, each sent once; null when one is missing. */
export function readCredentials(
  headerValues: (name: string) => readonly string[],
  appKey: Buffer,
): Credentials | null {
  const clientId = headerValues('x-client-id').join(',');
  const secret = headerValues('x-client-secret').join(',');
  if (clientId === '' || secret === '') return null;
  const cut = MAX_CREDENTIAL_LENGTH + 1;
  return { clientId: clientId.slice(0, cut), secretHash: hashSecret(secret.slice(0, cut), appKey) };
}

/**
 * The account of the credentials; null when they are wrong or the account may not use the API. Its licenses are read
 * only for routes that choose among them.
 */
export type Authenticate = (
  credentials: Credentials,
  needs: { licenses: boolean },
) => Promise<AuthRecord | null>;

/**
 * Checks an account's current credentials with one statement, others and unknown ones with two. Concurrent requests of
 * one client id share them: a changed secret takes effect once the statements under way have ended, within
 * milliseconds. Nothing is cached. The secret's hash is compared in constant time.
 */
export function createAuthenticate(db: Database): Authenticate {
  const withLicenses = sharedByKey((clientId: string) => findByClientId(db, clientId));
  const alone = sharedByKey(async (clientId: string): Promise<AuthRecord | null> => {
    const record = await findCredentials(db, clientId);
    return record === null ? null : { ...record, licenses: [] };
  });
  return async ({ clientId, secretHash }, { licenses }) => {
    const known = clientId.length <= MAX_CREDENTIAL_LENGTH && /^[\x21-\x7e]+$/.test(clientId);
    const record = known ? await (licenses ? withLicenses : alone)(clientId) : null;
    const isRight = isSameHash(record?.secretHash, secretHash);
    if (record === null || !isRight || !record.isAdmitted) return null;
    if (record.other !== null) await noteUse(db, record.other);
    return record;
  };
}

/** Once a minute at most: it tells whether old credentials are still in use. */
async function noteUse(
  db: Database,
  { id, lastUsedAt }: { id: number; lastUsedAt: string | null },
): Promise<void> {
  const seconds = LIMITS.callers.tokenUseSeconds;
  if (lastUsedAt !== null && Date.parse(lastUsedAt) > Date.now() - seconds * 1000) return;
  await touchCredentials(db, { id, seconds });
}
