import { Type } from 'typebox';
import { findLicenseByKey } from '../../../db/queries/accounts/keyed-licenses.js';
import { nowIso } from '../../../lib/time.js';
import { premiumText, userOf } from '../guards.js';
import { defineOpenRoute } from '../route.js';
import { invalidLicense, validLicense } from './presenter.js';
import { domain, LicenseVerdict, licenseKey } from './schema.js';

export const checkLicenseRoute = defineOpenRoute(
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
