import { nowIso } from '../../../lib/time.js';
import { showAccount } from '../../../services/accounts/show-account.js';
import { defineRoute } from '../../route.js';
import { licenseExample } from '../licenses/examples.js';
import { presentLicense } from '../licenses/presenter.js';
import { dataOf } from '../schemas.js';
import { presentAccount } from './presenter.js';
import { type Account, AccountSchema } from './schema.js';

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
} satisfies Account;

const show = defineRoute(
  {
    method: 'get',
    path: '/account',
    operationId: 'getAccount',
    tag: 'Account',
    summary: 'Read the account behind the credentials',
    license: 'none',
    responses: {
      200: {
        description: 'The account with all its licenses.',
        schema: dataOf(AccountSchema),
        example: { data: accountExample },
      },
    },
    errors: [],
  },
  async ({ app, accountId }) => {
    const { account, licenses } = await showAccount(app, accountId);
    const now = nowIso();
    const shown = licenses.map((license) => presentLicense(license, now));
    return { status: 200, json: { data: presentAccount(account, shown, app.config.baseUrl) } };
  },
);

export const accountRoutes = [show];
