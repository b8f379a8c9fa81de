import { activateLicense } from '../../../services/accounts/activate-license.js';
import { defineOpenRoute } from '../route.js';
import { invalidLicense, validLicense } from './presenter.js';
import { domain, LicenseVerdict, licenseKey } from './schema.js';

export const activateLicenseRoute = defineOpenRoute(
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
