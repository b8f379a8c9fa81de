import test from 'ava';
import { type HttpLicense, startHttp } from '../../support/http.js';
import { insertRow } from '../../support/rows.js';
import { sendAsShop, sendV1, userToken } from '../../support/v1.js';

let codes = 0;

const stack = await startHttp();
const { account, license } = await stack.own();
test.after.always(() => stack.close());

const post = (action: string, parts?: object) => sendAsShop(stack, license, action, parts);

async function shipment(parts: {
  of?: HttpLicense;
  orderId: string;
  columns?: Record<string, string | boolean | number>;
}) {
  codes += 1;
  const { of = license, orderId, columns } = parts;
  const code = `R${codes}`;
  await stack.shipment(account.id, of, { orderId, columns: { tracking_code: code, ...columns } });
  return { code };
}

test('order: ids are answered by a list of rows, newest last', async (t) => {
  const orderId = `rows-${codes}`;
  const first = await shipment({ orderId, columns: { is_active: false, status_code: 'cancelled' } });
  const second = await shipment({
    orderId,
    columns: { service_type: 2, return_type: 2, created_at: '2026-11-25 10:06:38.000000' },
  });

  const rows = await post('order', { ids: [orderId] });
  const none = await post('order', { ids: ['nothing'] });
  const tooMany = await post('order', { ids: Array.from({ length: 101 }, (_, n) => n) });
  const refused = await sendV1(stack, 'POST', '/shipping/order', {
    json: { license_key: 'nobody', domain: 'x', ids: [orderId] },
  });

  const list = JSON.parse(rows.text);
  t.is(rows.status, 200);
  t.deepEqual(
    list.map((row: { delivery_number: string }) => row.delivery_number),
    [first.code, second.code],
  );
  t.deepEqual(list[1], {
    delivery_number: second.code,
    company: { name: 'Run Haifa' },
    type: '2',
    return: '2',
    delivery_time: '25-11-2026 12-06-38',
    license_key: license.key,
    code: second.code,
    status: 'created',
    is_active: true,
    created_at: '2026-11-25T10:06:38.000000Z',
  });
  t.deepEqual([none.status, none.text], [200, '[]']);
  t.deepEqual([tooMany.status, refused.status, refused.body.success], [422, 403, false]);
});

test('order: a token adds the other licenses of its user, but not the orders of another store', async (t) => {
  const orderId = `wide-${codes}`;
  const [sibling, third] = [await stack.license(account.id), await stack.license(account.id)];
  const ofStore = await shipment({ of: sibling, orderId });
  const elsewhere = await shipment({ of: third, orderId });
  const site = (domain: string) =>
    insertRow(stack.db, 'store_sites', { account_id: account.id, platform: 'woocommerce', domain });
  const [here, there] = [await site(`${orderId}.here`), await site(`${orderId}.there`)];
  const setSite = (licenseId: number, id: number) =>
    stack.db.run('UPDATE orders SET store_site_id = ? WHERE license_id = ? AND order_id = ?', [
      id,
      licenseId,
      orderId,
    ]);
  await setSite(sibling.id, here);
  await setSite(third.id, there);
  const token = await userToken(stack, account.id);
  const ask = async (parts: object) => {
    const json = { license_key: license.key, domain: `${orderId}.here`, ids: [orderId], ...parts };
    const { text } = await sendV1(stack, 'POST', '/shipping/order', { json });
    return JSON.parse(text).map((row: Record<string, string>) => [row.delivery_number, row.license_key]);
  };

  const [narrow, wide, other] = [
    await ask({}),
    await ask({ token }),
    await ask({ token, domain: `https://${orderId}.there/` }),
  ];

  t.deepEqual(narrow, []);
  t.deepEqual(wide, [[ofStore.code, sibling.key]]);
  t.deepEqual(other, [[elsewhere.code, third.key]]);
});
