import { type Static, Type } from 'typebox';
import { getAccount } from '../../../db/queries/accounts/accounts.js';
import { listCredentials } from '../../../db/queries/accounts/credentials.js';
import { findLicenseByKey } from '../../../db/queries/accounts/keyed-licenses.js';
import { type LicenseRecord, listLicenses } from '../../../db/queries/accounts/licenses.js';
import { listStoreSites } from '../../../db/queries/accounts/store-sites.js';
import { isUsable } from '../../../domain/license.js';
import { nowIso } from '../../../lib/time.js';
import { activateLicense } from '../../../services/accounts/activate-license.js';
import { listShownLicenses } from '../../../services/accounts/show-account.js';
import { closed, closedObject } from '../../schemas.js';
import { premiumText, userOf } from '../guards.js';
import { bare, modelNotFound, succeeded } from '../reply.js';
import { PlainMessage, success } from '../responses.js';
import { defineLicensedRoute, defineOpenRoute, defineUserRoute, type V1Route } from '../route.js';
import { invalidLicense, presentUserByLicense, validLicense } from './presenter.js';
import { domain, LicenseVerdict, licenseKey, UserByLicense } from './schema.js';

const checkLicense = defineOpenRoute(
  {
    method: 'get',
    path: '/license/check_license',
    operationId: 'checkLicense',
    tag: 'Licenses',
    summary: 'Say whether a license is valid',
    description:
      'Checks, in this order, whether the license exists, is active, and, for a premium company, whether the user of ' +
      '`token` is a premium member. Expiry and domain are not checked.',
    input: {
      license_key: licenseKey,
      domain,
      token: Type.Optional(Type.String({ description: "Personal access token of a merchant's user." })),
    },
    responses: { 200: { description: 'The verdict.', schema: LicenseVerdict } },
  },
  async ({ app, request, say, input }) => {
    const key = input.license_key;
    const license = await request.byKey(key, () => findLicenseByKey(app.db, key));
    if (license === null) return invalidLicense('missing', say.invalidLicenseKey);
    if (!license.isActive) return invalidLicense('revoked', say.licenseDeactivated);
    const refused = premiumText(license, userOf(request.caller), nowIso(), say);
    if (refused !== null) return invalidLicense('invalid', refused);
    return validLicense(license, say.licenseValid);
  },
);

const activate = defineOpenRoute(
  {
    method: 'get',
    path: '/license/activate_license',
    operationId: 'activateLicense',
    tag: 'Licenses',
    summary: 'Bind a license to a domain',
    description:
      'Sets the domain unless the license has one, and its start time. Each connected store site with a callback gets ' +
      'one POST with `{ license_key, domain, activated_at }`; a failed POST changes nothing. Inactive and expired ' +
      'licenses are accepted, and premium membership is not checked.',
    input: { license_key: licenseKey, domain },
    responses: { 200: { description: 'Activated, or there is no such license.', schema: LicenseVerdict } },
  },
  async ({ app, request, say, input }) => {
    const { license_key: key } = input;
    const outcome = await request.byKey(key, async () => {
      const activated = await request.whileWaiting(() => activateLicense(app, { key, domain: input.domain }));
      return activated.kind === 'unknown' ? null : activated;
    });
    if (outcome === null) return invalidLicense('missing', say.invalidLicenseKey);
    for (const site of outcome.unheard) app.log.warn(site, 'a store site was not told of an activation');
    return validLicense(outcome.license, say.licenseValid);
  },
);

const Row = closedObject('StoreLicense', 'A license that a store may choose.', {
  key: Type.String({ description: 'The `license_key` of other routes.' }),
  name: Type.String({ description: "The merchant's name for it; may be empty." }),
  company: Type.String({ description: 'Name of the company that ships.' }),
  provider: closed('The carrier behind the license.', {
    name: Type.String({
      description: 'Name of the carrier; `GetPackage` is the one of same-day deliveries.',
    }),
  }),
});

const listOfUser = defineUserRoute(
  {
    method: 'post',
    path: '/licenses',
    operationId: 'listLicenses',
    tag: 'Licenses',
    summary: "List the licenses of a user's account",
    description:
      'Usable licenses. The user is that of `token` or of the bearer token; nothing else is needed. Plugins also send an ' +
      'empty body to check their token.',
    inputExample: { token: '7|jdHsQ0bWcXq4nTzLmR8yKfVuPaEoGiZ2xC5vB1wD' },
    responses: {
      200: success('The licenses, oldest first.', Type.Array(Row, { description: 'The licenses.' }), [
        { key: 'lic-main', name: 'Main', company: 'HFD', provider: { name: 'Run' } },
      ]),
    },
  },
  async ({ app, user }) => {
    const now = nowIso();
    const licenses = await listLicenses(app.db, user.accountId);
    return succeeded(licenses.filter((license) => isUsable(license, now)).map(toRow));
  },
);

function toRow({ key, name, company }: LicenseRecord): Static<typeof Row> {
  return { key, name, company: company.name, provider: { name: company.carrier.name } };
}

const userByLicense = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/user-by-license',
    operationId: 'getUserByLicense',
    tag: 'Licenses',
    summary: 'Read a license with its owner account and its Shopify sites',
    description:
      "A body without envelope and `success`. It names the owner's API client, so callers must be trusted with it; " +
      'it never has passwords, remember tokens or secrets.',
    input: {},
    responses: {
      200: { description: 'The rows.', schema: UserByLicense },
      404: { description: 'The license was just removed.', schema: PlainMessage },
    },
  },
  async ({ app, license }) => {
    const [licenses, account, credentials, sites] = await Promise.all([
      listShownLicenses(app, license.accountId),
      getAccount(app.db, license.accountId),
      listCredentials(app.db, license.accountId),
      listStoreSites(app.db, { license, platform: 'shopify' }),
    ]);
    const record = licenses.find(({ id }) => id === license.id);
    if (record === undefined) throw modelNotFound('License', license.key);
    return bare(200, presentUserByLicense(record, { account, credentials, sites }));
  },
);

export const licenseRoutes: readonly V1Route[] = [checkLicense, activate, listOfUser, userByLicense];
