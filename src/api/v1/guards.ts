import type { TokenOwner } from '../../db/queries/accounts/access-tokens.js';
import type { KeyedLicense } from '../../db/queries/accounts/keyed-licenses.js';
import { findServiceSecret } from '../../db/queries/accounts/service-secrets.js';
import { premiumRefusal } from '../../domain/license.js';
import { SERVICE_SECRETS } from '../../domain/service-secrets.js';
import { digestOf } from '../../lib/digest.js';
import { isSameHash } from '../../lib/secrets.js';
import type { HttpApp } from '../http-app.js';
import type { Messages } from './messages/messages.js';
import { appFailure, bare, Refusal } from './reply.js';

/** A merchant's user behind a token. */
export type TokenUser = Extract<TokenOwner, { kind: 'user' }>;

/** Optional features of carriers, which are checked before the rest of a request. */
export type CarrierFeature =
  | 'sameDayQuote'
  | 'shippingPromise'
  | 'expressEnabled'
  | 'expressStatus'
  | 'pickupPoints';

/** Longer than any issued secret. */
const MAX_SECRET_LENGTH = 256;

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
  headerValues: (name: string) => readonly string[],
  { db, config }: Pick<HttpApp, 'db' | 'config'>,
  say: Messages,
): Promise<void> {
  const sent = headerValues('x-app-secret').join(',');
  const stored = await findServiceSecret(db, SERVICE_SECRETS.app);
  const known = stored === null ? null : config.appKeys.open('app secret', stored.sealed);
  if (!isSameHash(known, digestOf(sent.slice(0, MAX_SECRET_LENGTH + 1))) || sent === '')
    throw new Refusal(appFailure(500, say.invalidAppSecret));
}

/** The merchant's user behind the token. @throws Refusal 401 */
export function needUser(caller: TokenOwner | null, say: Messages): TokenUser {
  const user = userOf(caller);
  if (user === null) throw new Refusal(bare(401, { message: say.unauthenticated }));
  return user;
}

/** The recipient behind the bearer token. @throws Refusal 401 */
export function needRecipient(
  caller: TokenOwner | null,
  say: Messages,
): Extract<TokenOwner, { kind: 'recipient' }> {
  if (caller?.kind === 'recipient') return caller;
  throw new Refusal(bare(401, { message: say.unauthenticated }));
}
