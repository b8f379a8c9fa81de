import { type Static, Type } from 'typebox';
import { type LicenseRecord, listLicenses } from '../../../db/queries/accounts/licenses.js';
import { isUsable } from '../../../domain/license.js';
import { nowIso } from '../../../lib/time.js';
import { succeeded } from '../reply.js';
import { envelopeOf } from '../responses.js';
import { defineUserRoute } from '../route.js';
import { closed, titled } from '../schemas.js';

const Row = titled('StoreLicense', 'A license that a store may choose.', {
  key: Type.String({ description: 'The `license_key` of other routes.' }),
  name: Type.String({ description: "The merchant's name for it; may be empty." }),
  company: Type.String({ description: 'Name of the company that ships.' }),
  provider: closed('The carrier behind the license.', {
    name: Type.String({
      description: 'Name of the carrier; `GetPackage` is the one of same-day deliveries.',
    }),
  }),
});

export const listLicensesRoute = defineUserRoute(
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
      200: {
        description: 'The licenses, oldest first.',
        schema: envelopeOf(Type.Array(Row, { description: 'The licenses.' })),
        example: {
          data: [{ key: 'lic-main', name: 'Main', company: 'HFD', provider: { name: 'Run' } }],
          message: '',
          success: true,
          warning: '',
        },
      },
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
