import { randomInt } from 'node:crypto';
import test from 'ava';
import { statusName } from '../../../src/domain/statuses.js';
import { startHttp } from '../../support/http.js';
import { insertRow } from '../../support/rows.js';
import { sendAsShop, sendV1 } from '../../support/v1.js';

let codes = 0;

const stack = await startHttp();
const { account, license } = await stack.own();
test.after.always(() => stack.close());

const post = (action: string, parts?: object) => sendAsShop(stack, license, action, parts);

async function shipment(parts: { code?: string; columns: Record<string, string | boolean | number> }) {
  codes += 1;
  const { code = `D${codes}`, columns } = parts;
  const { uuid } = await stack.shipment(account.id, license, {
    columns: { tracking_code: code, ...columns },
  });
  const [row] = await stack.db.select('SELECT id FROM shipments WHERE uuid = ?', [uuid]);
  return { id: Number(row?.id), code };
}

for (const [status_code, carrier_code, columns, code, text] of [
  ['created', null, {}, '1', 'Created'],
  ['in_transit', '17', { status_description: 'בדרך אל <b>הלקוח</b> &amp; עוד' }, '17', 'בדרך אל הלקוח & עוד'],
  ['collected', null, { service_type: 2 }, '4', 'Collected'],
  ['out_for_delivery', null, {}, '2', 'Out for delivery'],
  ['delivered', 'ship_delivered_yn', {}, '3', 'Delivered'],
  ['delivered', 'DELIVERED', {}, 'DELIVERED', 'Delivered'],
  ['delivery_failed', null, { status_description: '<>' }, '12', '‹›'],
  ['returned', null, {}, '5', 'Returned'],
  ['cancelled', null, { status_description: 'קבלה 4711', is_active: false }, '8', 'Cancelled'],
] as const) {
  test(`get_order_details: ${status_code} with ${carrier_code} is ${code}, ${text}`, async (t) => {
    const name = statusName(status_code);
    const own = await shipment({
      columns: { recipient_name: 'A & B <i>Ltd</i>', status_code, status_description: name, ...columns },
    });
    await insertRow(stack.db, 'shipment_events', {
      shipment_id: own.id,
      code: status_code,
      description: name,
      occurred_at: '2026-11-21 09:30:00.000000',
      carrier_code: carrier_code ?? '',
    });

    const { body } = await post('get_order_details', { shipping_id: own.code });

    t.like(body.data.data, { code, text, receiver: 'A & B Ltd' });
  });
}

test('get_order_details: what the carrier has in hand has a day, in Israel', async (t) => {
  const own = await shipment({ columns: { collected_at: '2026-11-24 23:30:00.000000' } });

  const { body } = await post('get_order_details', { shipping_id: own.code });

  t.is(body.data.data.shipped_on, '25-11-2026');
});

test('get_order_details: a whole number names the code that lost its zeros, a cancellation needs the whole code', async (t) => {
  const number = `90${randomInt(1e6, 1e7)}`;
  const own = await shipment({ code: `000${number}`, columns: {} });

  const byNumber = await post('get_order_details', { shipping_id: Number(number) });
  const cancelledByNumber = await post('change_order_status', { shipping_id: number });
  const none = await post('get_order_details', { shipping_id: `9${number}` });

  t.is(byNumber.body.data?.data.tracking_code, own.code, byNumber.text);
  t.false(cancelledByNumber.body.success);
  t.is(none.status, 404);
});

test('get_order_details: a status without words of the carrier is shown in the language of the server', async (t) => {
  const hebrew = await startHttp({ config: { locale: 'he' } });
  t.teardown(() => hebrew.close());
  const owner = await hebrew.account();
  const own = await hebrew.license(owner.id);
  await hebrew.shipment(owner.id, own, {
    columns: { tracking_code: 'H-1', status_code: 'cancelled', status_description: 'קבלה 4711' },
  });

  const { body } = await sendV1(hebrew, 'POST', '/shipping/get_order_details', {
    json: { license_key: own.key, domain: 'x', shipping_id: 'H-1' },
  });

  t.is(body.data.data.text, 'בוטל');
});
