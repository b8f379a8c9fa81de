import { type Static, Type } from 'typebox';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import { nowIso } from '../../../lib/time.js';
import { listShownLicenses } from '../../../services/accounts/show-account.js';
import { presentOwner } from '../../presented.js';
import { defineRoute } from '../../route.js';
import { closedObject, nullableObject } from '../../schemas.js';
import { accountFields, accountFlags, labelDefaults } from '../../setting-fields.js';
import { answerOf, listAnswerOf } from '../schemas.js';
import { LicenseSchema, licenseExample, presentLicense } from './license.js';

const AccountSchema = closedObject('Account', 'The merchant account behind the credentials.', {
  id: Type.Integer({ description: 'Id of the account.' }),
  ...accountFields,
  trackerPage_contact_info: nullableObject(
    'Contacts that the tracking page shows instead of the support ones, as stored; null when there are none.',
  ),
  ...accountFlags,
  ...labelDefaults('built-in, thermal labels'),
  licenses: Type.Array(LicenseSchema, { description: 'Every license of the account, usable or not.' }),
});

const accountExample = {
  id: 5,
  name: 'Noa Cohen',
  email: 'noa@acme.test',
  phone: '0521234567',
  locale: 'en',
  company_name: 'Acme',
  company_logo: 'https://parcels.acme.test/logo.png',
  support_email: 'help@acme.test',
  support_phone: '031234567',
  trackerPage_contact_info: { whatsapp: '0521234567' },
  enable_api: true,
  can_use_collection_points: false,
  enable_sort_by_warehouse: false,
  display_order_product: true,
  display_product_price_in_order_detail: false,
  display_order_number_barcode: false,
  label_method: 'builtin',
  label_type: 'thermal',
  licenses: [licenseExample],
};

const show = defineRoute(
  {
    method: 'get',
    path: '/account',
    operationId: 'getAccount',
    tag: 'Account',
    summary: 'Read the account behind the credentials',
    license: 'none',
    responses: { 200: answerOf('The account with all its licenses.', AccountSchema, accountExample) },
  },
  async ({ app, accountId }) => {
    const { account, licenses } = await app.showAccount(accountId);
    const now = nowIso();
    const shown = licenses.map((license) => presentLicense(license, now));
    return { status: 200, json: { data: presentAccount(account, shown, app.config.baseUrl) } };
  },
);

const listLicenses = defineRoute(
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

export const accountRoutes = { show, listLicenses };

/** An account; a logo stored as a path becomes an absolute URL. */
function presentAccount(
  record: AccountRecord,
  licenses: ReturnType<typeof presentLicense>[],
  baseUrl: string,
): Static<typeof AccountSchema> {
  return {
    ...presentOwner(record),
    company_logo: record.companyLogo.startsWith('/') ? baseUrl + record.companyLogo : record.companyLogo,
    trackerPage_contact_info: record.trackerPageContactInfo,
    licenses,
  };
}
