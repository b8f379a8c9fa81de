import type { Database } from '../../db/database.js';
import {
  type AuthRecord,
  findByClientId,
  findCredentials,
  touch,
} from '../../db/queries/accounts/credentials.js';
import type { AppKeys } from '../../lib/app-keys.js';
import { digestOf } from '../../lib/digest.js';
import { sharedByKey } from '../../lib/limits/shared-by-key.js';
import { LIMITS } from '../../lib/limits/values.js';
import { isSameHash } from '../../lib/secrets.js';

/** The caller's credentials: the id, and the secret as its SHA-256. */
export interface Credentials {
  clientId: string;
  secretHash: Buffer;
}

/** Longer than any issued id or secret. */
const MAX_CREDENTIAL_LENGTH = 256;
const USE_SECONDS = LIMITS.callers.tokenUseSeconds;

/** Reads the two credential headers, each sent once; null when one is missing. */
export function readCredentials(headerValues: (name: string) => readonly string[]): Credentials | null {
  const clientId = headerValues('x-client-id').join(',');
  const secret = headerValues('x-client-secret').join(',');
  if (clientId === '' || secret === '') return null;
  const cut = MAX_CREDENTIAL_LENGTH + 1;
  return { clientId: clientId.slice(0, cut), secretHash: digestOf(secret.slice(0, cut)) };
}

/**
 * Finds the account of credentials; null when they are wrong or the account may not use the API. Its licenses are read
 * only for routes that choose among them.
 *
 * Checks with one statement. Concurrent requests of one client id share it: credentials that have ended are
 * refused once the statements under way have been answered, within milliseconds. Nothing is cached. The secret's hash
 * is compared in constant time. @throws UnreadableSecret from what it returns
 */
export function createAuthenticate(db: Database, appKeys: AppKeys) {
  const withLicenses = sharedByKey((clientId: string) => findByClientId(db, clientId));
  const alone = sharedByKey(async (clientId: string): Promise<AuthRecord | null> => {
    const record = await findCredentials(db, clientId);
    return record === null ? null : { ...record, licenses: [] };
  });
  const noteUse = sharedByKey((id: number) => touch(db, 'client_credentials', { id, seconds: USE_SECONDS }));
  return async (
    { clientId, secretHash }: Credentials,
    { licenses }: { licenses: boolean },
  ): Promise<AuthRecord | null> => {
    const known = clientId.length <= MAX_CREDENTIAL_LENGTH && /^[\x21-\x7e]+$/.test(clientId);
    const record = known ? await (licenses ? withLicenses : alone)(clientId) : null;
    const isRight = isSameHash(record && appKeys.open('client secret', record.secretHash), secretHash);
    if (record === null || !isRight || !record.isAdmitted) return null;
    if (!isNoted(record)) await noteUse(record.id);
    return record;
  };
}

/** Whether the use of credentials was noted recently: it is written once a minute at most. */
function isNoted({ lastUsedAt }: AuthRecord): boolean {
  return lastUsedAt !== null && Date.parse(lastUsedAt) > Date.now() - USE_SECONDS * 1000;
}
