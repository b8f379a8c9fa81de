import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';
import { insertRow } from '../../support/rows.js';

const http = await startHttp();
test.after.always(() => http.close());

interface Goods {
  name: string;
  sku?: string;
  quantity: number;
  virtual?: boolean;
}

/** An account with one license, and its warehouse. */
async function warehouse() {
  const { id } = await http.account();
  const license = await http.license(id);
  const cookie = await cookieOf(http, 'staff', id);
  const ask = (path: string, form?: [string, string][]) =>
    askPanel(`${http.url}/panel/a/${id}${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  /** A parcel whose order has goods at a place. */
  const pack = async (
    number: string,
    { place, goods }: { place: string | null; goods: Goods[] },
    columns: Record<string, string | number | boolean> = {},
  ) => {
    const { uuid, orderId } = await http.shipment(id, license, { orderId: number, columns });
    const [order] = await http.db.select('SELECT id FROM orders WHERE license_id = ? AND order_id = ?', [
      license.id,
      orderId,
    ]);
    await http.db.run('UPDATE orders SET warehouse_location = ? WHERE id = ?', [place, Number(order?.id)]);
    for (const [position, { virtual = false, ...one }] of goods.entries()) {
      await insertRow(http.db, 'order_items', {
        order_id: Number(order?.id),
        position,
        is_virtual: virtual,
        ...one,
      });
    }
    return uuid;
  };
  return { id, ask, pack };
}

const ticked = (...uuids: string[]): [string, string][] => uuids.map((uuid) => ['uuid', uuid]);
const plain = (text: string) =>
  text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const rowsOf = (text: string) =>
  [...(/<tbody>.*<\/tbody>/s.exec(text)?.[0] ?? '').matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => plain(row));
const slipsOf = (text: string) =>
  [...text.matchAll(/<section class="slip">.*?<\/section>/gs)].map(([slip]) => plain(slip));

test('POST /shipments/picks: sums goods by place, and says which orders they go to', async (t) => {
  const { ask, pack } = await warehouse();
  const oil = { name: 'Oil', sku: 'OIL' };
  const one = await pack('P-1', { place: 'B-10', goods: [{ ...oil, quantity: 2 }] });
  const two = await pack('P-2', {
    place: 'B-2',
    goods: [
      { ...oil, quantity: 1 },
      { name: 'Gift card', quantity: 1, virtual: true },
    ],
  });
  const three = await pack('P-3', { place: 'B-10', goods: [{ ...oil, quantity: 3 }] });
  const bare = await pack('P-4', { place: null, goods: [] });

  const { status, text } = await ask('/shipments/picks', ticked(one, two, three, bare));

  t.is(status, 200);
  t.deepEqual(rowsOf(text), ['B-2 1 Oil OIL #P-2 × 1 ☐', 'B-10 5 Oil OIL #P-1 × 2, #P-3 × 3 ☐']);
  t.true(plain(text).includes('Pieces: 6, for 4 orders'));
  t.true(plain(text).includes('Orders that name no items: #P-4'));
});

test('POST /shipments/picks: an order of two parcels counts once, what is cancelled or collected not at all', async (t) => {
  const { ask, pack } = await warehouse();
  const goods = [{ name: 'Mug', quantity: 1 }];
  const first = await pack('P-5', { place: null, goods });
  const second = await pack('P-5', { place: null, goods: [] });
  const cancelled = await pack('P-6', { place: null, goods }, { status_code: 'cancelled', is_active: false });
  const collected = await pack('P-7', { place: null, goods }, { service_type: 2 });

  const { text } = await ask('/shipments/picks', ticked(first, second, cancelled, collected));

  t.deepEqual(rowsOf(text), ['1 Mug #P-5 × 1 ☐']);
  t.true(plain(text).includes('Left out (Cancelled): #P-6'));
  t.true(plain(text).includes('Left out (Collection): #P-7'));
});

test('POST /shipments/slips: one page a parcel, in the language of its label, on the paper that is chosen', async (t) => {
  const { id, ask, pack } = await warehouse();
  await http.db.run("UPDATE accounts SET locale = 'he', company_name = 'פרחים <b>' WHERE id = ?", [id]);
  const one = await pack(
    'P-8',
    { place: null, goods: [{ name: 'Vase', sku: 'V-1', quantity: 2 }] },
    { recipient_city: 'Haifa' },
  );
  const two = await pack('P-9', { place: null, goods: [] });

  const label = await ask('/shipments/slips', ticked(two, one));
  const sheet = await ask('/shipments/slips', [...ticked(two, one), ['paper', 'A4']]);

  const slips = slipsOf(label.text);
  t.is(slips.length, 2);
  t.regex(slips[0] ?? '', /P-9.*ההזמנה אינה מפרטת פריטים/);
  t.regex(slips[1] ?? '', /^פרחים &lt;b&gt; .*P-8.*Haifa.* 2 Vase V-1/);
  t.regex(label.text, /<div class="paper small" lang="he" dir="rtl">/);
  t.regex(sheet.text, /<div class="paper A4" lang="he" dir="rtl">/);
  t.false(label.text.includes('style='), 'nothing that the policy refuses');
});

test('GET /shipments/{uuid}/slip: one parcel’s slip; another account’s is missing', async (t) => {
  const own = await warehouse();
  const other = await warehouse();
  const uuid = await own.pack('P-10', { place: null, goods: [{ name: 'Cup', quantity: 1 }] });

  const { text } = await own.ask(`/shipments/${uuid}/slip`);
  const foreign = await other.ask(`/shipments/${uuid}/slip`);
  const chosen = await other.ask('/shipments/slips', ticked(uuid));

  t.is(slipsOf(text).length, 1);
  t.is(foreign.status, 404);
  t.is(chosen.status, 404);
});

test('GET /batches/{uuid}/slips and picks: of its parcels; none for another account', async (t) => {
  const own = await warehouse();
  const other = await warehouse();
  const goods = [{ name: 'Cup', quantity: 1 }];
  const uuids = [
    await own.pack('P-11', { place: null, goods }),
    await own.pack('P-12', { place: null, goods }),
  ];
  const batch = await batchOf(own.id, uuids);

  const slips = await own.ask(`/batches/${batch}/slips`);
  const picks = await own.ask(`/batches/${batch}/picks`);
  const foreign = await other.ask(`/batches/${batch}/slips`);

  t.is(slipsOf(slips.text).length, 2);
  t.deepEqual(rowsOf(picks.text), ['2 Cup #P-11 × 1, #P-12 × 1 ☐']);
  t.is(foreign.status, 404);
});

/** A finished batch of these shipments. */
async function batchOf(accountId: number, uuids: string[]): Promise<string> {
  const uuid = randomUUID();
  const [license] = await http.db.select('SELECT id, license_key FROM licenses WHERE account_id = ?', [
    accountId,
  ]);
  const counts = { total: uuids.length, pending_count: 0, created_count: uuids.length, failed_count: 0 };
  const batch = await insertRow(http.db, 'batches', {
    uuid,
    account_id: accountId,
    license_id: Number(license?.id),
    license_key: String(license?.license_key),
    payload_bytes: 2,
    ...counts,
  });
  for (const [position, shipment_uuid] of uuids.entries()) {
    await insertRow(http.db, 'batch_items', {
      batch_id: batch,
      position,
      status: 'created',
      shipment_uuid,
      payload: '{}',
      fingerprint: '',
    });
  }
  return uuid;
}
