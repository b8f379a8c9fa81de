import { AppError, validationError } from './errors.js';

/** What license selection needs to know of a license (a carrier account). */
export interface SelectableLicense {
  key: string;
  isActive: boolean;
  /** ISO 8601 UTC; null means never. */
  expiresAt: string | null;
}

/** A license is usable while it is active and its `expires_at` lies ahead; it expires at that instant exactly. */
export function isUsable(license: SelectableLicense, nowIso: string): boolean {
  return license.isActive && !isExpired(license, nowIso);
}

/** Whether `expires_at` has come. Both texts are ISO 8601 UTC with microseconds, so they compare as text. */
export function isExpired(license: Pick<SelectableLicense, 'expiresAt'>, nowIso: string): boolean {
  return license.expiresAt !== null && license.expiresAt <= nowIso;
}

/** A user as premium companies see them. `premiumUntil`: ISO 8601 UTC; null means without an end. */
export interface PremiumMember {
  isPremium: boolean;
  premiumUntil: string | null;
}

/** Why a premium company is not for the caller: nobody known calls, or their membership is not active; else null. */
export function premiumRefusal(user: PremiumMember | null, nowIso: string): 'no_user' | 'not_premium' | null {
  if (user === null) return 'no_user';
  const isActive = user.isPremium && (user.premiumUntil === null || user.premiumUntil > nowIso);
  return isActive ? null : 'not_premium';
}

const FORBIDDEN = 'The license is not available to this account.';
const NO_LICENSE = 'The account has no active license.';
const AMBIGUOUS = 'The license_key field is required when the account has several active licenses.';

/**
 * The one license a license-scoped endpoint works with.
 * @throws AppError `forbidden` for a key that is foreign, inactive or expired, or when no license is usable;
 *   `validation_failed` when several are usable and none was named.
 */
export function selectLicense<L extends SelectableLicense>(
  licenses: readonly L[],
  key: string | undefined,
  nowIso: string,
): L {
  const usable = selectLicenses(licenses, key, nowIso);
  const [only] = usable;
  if (only === undefined) throw new AppError('forbidden', NO_LICENSE);
  if (usable.length > 1) throw validationError({ license_key: [AMBIGUOUS] });
  return only;
}

/**
 * The licenses a listing spans: the named one, else every usable one.
 * @throws AppError `forbidden` as {@link selectLicense}.
 */
export function selectLicenses<L extends SelectableLicense>(
  licenses: readonly L[],
  key: string | undefined,
  nowIso: string,
): L[] {
  const usable = licenses.filter((license) => isUsable(license, nowIso));
  if (key === undefined) {
    if (usable.length === 0) throw new AppError('forbidden', NO_LICENSE);
    return usable;
  }
  const named = usable.find((license) => license.key === key);
  if (named === undefined) throw new AppError('forbidden', FORBIDDEN);
  return [named];
}
