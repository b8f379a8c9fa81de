import type { TokenOwner } from '../../db/queries/accounts/access-tokens.js';
import { findLicenseByKey, type KeyedLicense } from '../../db/queries/accounts/keyed-licenses.js';
import { findServiceSecret } from '../../db/queries/accounts/service-secrets.js';
import { isUsable, premiumRefusal } from '../../domain/license.js';
import { hashSecret, isSameHash } from '../../lib/secrets.js';
import { nowIso } from '../../lib/time.js';
import type { HttpApp } from '../http-app.js';
import type { Messages } from './messages/messages.js';
import { appFailure, bare, failed, Refusal } from './reply.js';

/** A merchant's user behind a token. */
export type TokenUser = Extract<TokenOwner, { kind: 'user' }>;

/** The input of the guards. */
interface Asking {
  caller: TokenOwner | null;
  byKey<T>(key: string, find: () => Promise<T | null>): Promise<T | null>;
  headerValues(name: string): readonly string[];
}

const APP_SECRET = 'app_secret';
/** Longer than any issued secret. */
const MAX_SECRET_LENGTH = 256;

/** The usable license of the key. Unknown, inactive and expired ones are refused alike. @throws Refusal 403 */
export async function checkLicense(
  key: string,
  { caller, byKey }: Asking,
  app: Pick<HttpApp, 'db'>,
  say: Messages,
): Promise<{ license: KeyedLicense; user: TokenUser | null }> {
  const license = await byKey(key, () => findLicenseByKey(app.db, key));
  const now = nowIso();
  if (license === null || !isUsable(license, now)) throw new Refusal(failed(403, say.invalidLicenseKey));
  const user = userOf(caller);
  const refused = premiumText(license, user, now, say);
  if (refused !== null) throw new Refusal(failed(403, refused));
  return { license, user };
}

/** Why this user may not use the license's premium company; null if allowed. */
export function premiumText(
  license: Pick<KeyedLicense, 'isPremium'>,
  user: TokenUser | null,
  now: string,
  say: Messages,
): string | null {
  const refused = license.isPremium ? premiumRefusal(user, now) : null;
  if (refused === null) return null;
  return refused === 'no_user' ? say.premiumUnsupported : say.premiumRequired;
}

/** The user of the sent token; a recipient's does not count. */
export function userOf(caller: TokenOwner | null): TokenUser | null {
  return caller?.kind === 'user' ? caller : null;
}

/** Compares `X-App-Secret` with the stored one, in constant time. @throws Refusal 500 */
export async function checkAppSecret(
  { headerValues }: Asking,
  { db, config }: Pick<HttpApp, 'db' | 'config'>,
  say: Messages,
): Promise<void> {
  const sent = headerValues('x-app-secret').join(',');
  const stored = await findServiceSecret(db, APP_SECRET);
  const hash = hashSecret(sent.slice(0, MAX_SECRET_LENGTH + 1), config.appKey);
  if (!isSameHash(stored, hash) || sent === '') throw new Refusal(appFailure(500, say.invalidAppSecret));
}

/** The merchant's user behind the token. @throws Refusal 401 */
export function needUser({ caller }: Asking, say: Messages): TokenUser {
  const user = userOf(caller);
  if (user === null) throw new Refusal(bare(401, { message: say.unauthenticated }));
  return user;
}

/** The recipient behind the bearer token. @throws Refusal 401 */
export function needRecipient({ caller }: Asking, say: Messages): Extract<TokenOwner, { kind: 'recipient' }> {
  if (caller?.kind === 'recipient') return caller;
  throw new Refusal(bare(401, { message: say.unauthenticated }));
}
