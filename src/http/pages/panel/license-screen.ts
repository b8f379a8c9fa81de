import type { LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../../../db/queries/accounts/credentials.js';
import { AppError, notFound } from '../../../domain/errors.js';
import { type Html, html } from '../../../domain/html.js';
import { isUsable } from '../../../domain/license.js';
import type { Right } from '../../../domain/panel-roles.js';
import { quoted } from '../../../domain/problems/problem.js';
import { nowIso } from '../../../lib/time.js';
import { select } from './layout.js';
import { type AccountVisit, type Answer, accountScreen, formsOf, type Screen } from './screen.js';
import type { Words } from './words/en.js';

/**
 * An {@link AccountVisit} to a screen of one license: the one that the query names, else the account's first. Its calls
 * work with the license.
 */
export interface LicenseVisit extends AccountVisit {
  license: LicenseSummary;
  /** All usable licenses of the account. */
  licenses: readonly LicenseSummary[];
}

/** A screen of one license of an account; `path` below `/a/:account`. */
export function licenseScreen(
  method: Screen['method'],
  path: string,
  right: Right,
  show: (visit: LicenseVisit) => Answer | Promise<Answer>,
): Screen {
  return accountScreen(method, path, right, async (visit) => {
    const licenses = await usableLicenses(visit);
    const named = visit.query.get('license');
    const license = named === null ? licenses[0] : licenses.find((one) => isNamed(one, named));
    if (license !== undefined) {
      const call: LicenseVisit['call'] = async (operation, input) =>
        await visit.call(operation, { license: license.key, ...input });
      return await show({ ...visit, license, licenses, call });
    }
    if (named !== null) throw notFound('license');
    const { words } = visit;
    return { title: words.license, main: html`<p class="nothing">${words.noLicense}</p>` };
  });
}

/** A form of one license of an account; `path` below `/a/:account`. */
export const licenseForm = formsOf(licenseScreen);

/**
 * Whether a page's address names the license: by its id, since addresses are kept by browsers and proxies, and the key
 * is a credential. A key that somebody enters is taken.
 */
function isNamed({ id, key }: LicenseSummary, named: string): boolean {
  return String(id) === named || key === named;
}

/** The account's licenses that are active and not expired. */
export async function usableLicenses({ app, account }: AccountVisit): Promise<LicenseSummary[]> {
  const licenses = await listLicenseSummaries(app.db, account.id);
  return licenses.filter((license) => isUsable(license, nowIso()));
}

/** The usable license with this id, usually the one that the form has chosen. @throws AppError `validation_failed` */
export async function usableLicense(
  visit: AccountVisit,
  licenseId = Number(visit.form.get('license')),
): Promise<LicenseSummary> {
  const license = (await usableLicenses(visit)).find(({ id }) => id === licenseId);
  if (license === undefined) throw new AppError('validation_failed', quoted(visit.words.noLicense));
  return license;
}

/** The choice of a license in a form: by its id, since staff must not read keys, which are credentials, in a page's source. */
export function licenseSelect(
  { license }: Words,
  licenses: readonly Pick<LicenseSummary, 'id' | 'name'>[],
  chosen: number | string | null | undefined,
  none?: string,
): Html {
  const options = licenses.map(({ id, name }) => [String(id), name] as const);
  return select(
    'license',
    license,
    [...(none === undefined ? [] : [['', none] as const]), ...options],
    String(chosen ?? ''),
  );
}

/** The license that {@link licenseSelect} has chosen; undefined where it is none of these. */
export function licenseIn<T extends Pick<LicenseSummary, 'id'>>(
  licenses: readonly T[],
  form: URLSearchParams,
): T | undefined {
  return licenses.find(({ id }) => String(id) === form.get('license'));
}

/** The address of a page of the license. */
export function inLicense(
  { account, license }: Pick<LicenseVisit, 'account' | 'license'>,
  path: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ license: String(license.id), ...more });
  return `/panel/a/${account.id}${path}?${query.toString()}`;
}

/** The choice of another license for the same page; null when there is one license. */
export function licenseChoice({ licenses, license, words }: LicenseVisit): Html | null {
  if (licenses.length < 2) return null;
  const options = licenses.map(({ id, name }) => [String(id), name] as const);
  return html`<form method="get" class="row bulk">
${select('license', words.license, options, String(license.id))}
<button class="second">${words.show}</button>
</form>`;
}
