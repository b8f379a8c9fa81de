import { getAccount } from '../../../../db/queries/accounts/accounts.js';
import { listCredentials } from '../../../../db/queries/accounts/credentials.js';
import { listStoreSites } from '../../../../db/queries/accounts/store-sites.js';
import { listShownLicenses } from '../../../../services/accounts/list-licenses.js';
import { modelNotFound } from '../../refusals.js';
import { bare } from '../../reply.js';
import { PlainMessage } from '../../responses.js';
import { defineLicensedRoute } from '../../route.js';
import { presentUserByLicense } from './presenter.js';
import { UserByLicense } from './schema.js';

export const userByLicenseRoute = defineLicensedRoute(
  {
    method: 'get',
    path: '/shipping/user-by-license',
    operationId: 'getUserByLicense',
    tag: 'Licenses',
    summary: 'Read a license with its owner account and its Shopify sites',
    description:
      "A body without envelope and `success`. It names the owner's API client, so callers must be trusted with it; " +
      'it never has passwords, remember tokens or secrets.',
    normalised: true,
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
