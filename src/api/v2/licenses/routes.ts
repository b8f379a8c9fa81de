import { nowIso } from '../../../lib/time.js';
import { listShownLicenses } from '../../../services/accounts/list-licenses.js';
import { defineRoute } from '../../route.js';
import { listAnswerOf } from '../schemas.js';
import { licenseExample } from './examples.js';
import { presentLicense } from './presenter.js';
import { LicenseSchema } from './schema.js';

const list = defineRoute(
  {
    method: 'get',
    path: '/licenses',
    operationId: 'listLicenses',
    tag: 'Account',
    summary: 'List the licenses of the account',
    description: 'All licenses, including inactive and expired ones.',
    license: 'none',
    responses: {
      200: listAnswerOf('The licenses.', LicenseSchema, 'Every license of the account, usable or not.', [
        licenseExample,
      ]),
    },
  },
  async ({ app, accountId }) => {
    const licenses = await listShownLicenses(app, accountId);
    const now = nowIso();
    return { status: 200, json: { data: licenses.map((license) => presentLicense(license, now)) } };
  },
);

export const licenseRoutes = [list];
