import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../db/database.js';
import { type AuthRecord, findByClientId } from '../../db/queries/accounts.js';
import { AppError } from '../../domain/errors.js';
import { hashSecret } from '../../lib/secrets.js';

/** What a caller sent as credentials, each header once. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** Compared with when the client id is unknown, so that an unknown id takes as long as a wrong secret. */
const DUMMY_HASH = Buffer.alloc(32, 0x5a);
/** Longer than any id or secret that was ever given out. */
const MAX_CREDENTIAL_LENGTH = 256;

/**
 * Reads the two credential headers.
 * @throws AppError `unauthenticated` when one is missing.
 */
export function readCredentials(headerValues: (name: string) => readonly string[]): Credentials {
  const clientId = headerValues('x-client-id').join(',');
  const clientSecret = headerValues('x-client-secret').join(',');
  if (clientId === '' || clientSecret === '') {
    throw new AppError('unauthenticated', 'Missing API credentials. Send X-Client-Id and X-Client-Secret.');
  }
  return { clientId, clientSecret };
}

/**
 * The account behind the credentials, with its licences; null when they are wrong or the account may not use
 * the API. One statement; the secret's hash is compared in constant time.
 */
export async function authenticate(
  db: Database,
  appKey: Buffer,
  { clientId, clientSecret }: Credentials,
): Promise<AuthRecord | null> {
  const known = clientId.length <= MAX_CREDENTIAL_LENGTH && /^[\x21-\x7e]+$/.test(clientId);
  const record = known ? await findByClientId(db, clientId) : null;
  const sent = hashSecret(clientSecret.slice(0, MAX_CREDENTIAL_LENGTH + 1), appKey);
  const stored = record?.secretHash ?? DUMMY_HASH;
  const equal = stored.length === sent.length && timingSafeEqual(stored, sent);
  return record !== null && equal && record.enableApi ? record : null;
}

/** 401 for an unknown client id and for a wrong secret alike. */
export function invalidCredentials(): AppError {
  return new AppError('unauthenticated', 'Invalid API client credentials.');
}
