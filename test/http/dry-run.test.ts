import test from 'ava';
import { insertTestLicense } from '../support/factories.js';
import { creationBody, type HttpAccount, type HttpStack, startHttp } from '../support/http.js';

let http: HttpStack;
let account: HttpAccount;

test.before(async () => {
  http = await startHttp();
  account = await http.account();
  await insertTestLicense(http.db, { accountId: account.id, appKeys: http.config.appKeys });
});
test.after.always(() => http?.close());

/** Warnings of the dry run of a body, besides the codes. */
async function warned(path: string, json: unknown): Promise<{ field: string; message: string }[]> {
  const { status, text, body } = await http.send('POST', path, { as: account, json });
  if (status !== 200) throw new Error(text);
  return body.data.warnings;
}

test('POST /shipments?dry_run=true: names each field of the body that it does not know, and no field of an address or of meta_data', async (t) => {
  const sent = {
    ...creationBody({
      ship_data: { recipent_phone: '0507654321', shipping_id: 7 },
      order: {
        totall: '5.00',
        items: [
          { name: 'Tea', quantity: 1 },
          { name: 'Cup', quantity: 2, skuu: 'C1' },
        ],
        billing: { vat_number: '1' },
        shipping: { first_name: 'Dana', gate: { code: '12' } },
        meta_data: { of: { the: 'shop' } },
      },
    }),
    licence_key: 'misspelt',
  };

  const warnings = await warned('/shipments?dry_run=true', sent);

  t.deepEqual(
    warnings.toSorted((one, other) => one.field.localeCompare(other.field)),
    [
      'licence_key',
      'order.items.1.skuu',
      'order.totall',
      'ship_data.recipent_phone',
      'ship_data.shipping_id',
    ].map((field) => ({
      code: 'unknown_field',
      field,
      message: `The API knows no field ${field}: it has no effect.`,
    })),
  );
  t.is(http.created.length, 0);
});

for (const path of ['/shipments?dry_run=true&', '/shipments/dry-run?']) {
  test(`POST ${path}…: names a parameter that it does not know, such as the license, which is read from the body`, async (t) => {
    const warnings = await warned(`${path}license_key=lic_other`, creationBody());

    t.deepEqual(warnings, [
      {
        code: 'unknown_field',
        field: 'license_key',
        message: 'The query has no parameter license_key: it has no effect.',
      },
    ]);
  });
}

test('POST /shipments?dry_run=true: names a hundred unknown fields at most, and long names by their ends', async (t) => {
  const names = Array.from({ length: 300 }, (_, index) => `${index}${'x'.repeat(1000)}`);
  const sent = creationBody({ ship_data: Object.fromEntries(names.map((name) => [name, 1])) });

  const warnings = await warned('/shipments?dry_run=true', sent);

  t.is(warnings.length, 100);
  t.true(warnings.every(({ field }) => field.length <= 200));
});
