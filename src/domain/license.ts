import { AppError, validationError } from './errors.js';
import { problem, problemAt } from './problems/problem.js';

/** The fields of a license that its selection needs. */
interface SelectableLicense {
  key: string;
  isActive: boolean;
  /** ISO 8601 UTC; null means never. */
  expiresAt: string | null;
}

/** A license is usable while it is active and before its `expires_at`. */
export function isUsable(license: SelectableLicense, nowIso: string): boolean {
  return license.isActive && !isExpired(license, nowIso);
}

/** Whether `expires_at` has passed. ISO 8601 UTC texts with microseconds compare as text. */
export function isExpired(license: Pick<SelectableLicense, 'expiresAt'>, nowIso: string): boolean {
  return license.expiresAt !== null && license.expiresAt <= nowIso;
}

/**
 * Why the caller may not use premium companies: unknown user, or no active membership; else null. `premiumUntil`:
 * ISO 8601 UTC; null means forever.
 */
export function premiumRefusal(
  user: { isPremium: boolean; premiumUntil: string | null } | null,
  nowIso: string,
): 'no_user' | 'not_premium' | null {
  if (user === null) return 'no_user';
  const isActive = user.isPremium && (user.premiumUntil === null || user.premiumUntil > nowIso);
  return isActive ? null : 'not_premium';
}

/**
 * The license of a license-scoped endpoint. @throws AppError `forbidden` for a foreign, inactive or expired key
 * or without a usable license; `validation_failed` when several are usable and none is named.
 */
export function selectLicense<L extends SelectableLicense>(
  licenses: readonly L[],
  key: string | undefined,
  nowIso: string,
): L {
  const usable = selectLicenses(licenses, key, nowIso);
  const [only] = usable;
  if (only === undefined) throw new AppError('forbidden', problem('account_without_license'));
  if (usable.length > 1)
    throw validationError({ license_key: [problemAt('license_key', 'required_with_several_licenses')] });
  return only;
}

/**
 * The licenses of a list: the named one, else all usable ones. @throws AppError `forbidden` as {@link
 * selectLicense}.
 */
export function selectLicenses<L extends SelectableLicense>(
  licenses: readonly L[],
  key: string | undefined,
  nowIso: string,
): L[] {
  const usable = licenses.filter((license) => isUsable(license, nowIso));
  if (key === undefined) {
    if (usable.length === 0) throw new AppError('forbidden', problem('account_without_license'));
    return usable;
  }
  const named = usable.find((license) => license.key === key);
  if (named === undefined) throw new AppError('forbidden', problem('foreign_license'));
  return [named];
}
