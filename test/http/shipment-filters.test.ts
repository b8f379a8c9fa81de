import test from 'ava';
import { type HttpAccount, startHttp } from '../support/http.js';

const http = await startHttp();
test.after.always(() => http.close());

async function uuidsOf(as: HttpAccount, query: string): Promise<string[]> {
  const { status, body, text } = await http.send('GET', `/shipments${query}`, { as });
  if (status !== 200) throw new Error(text);
  return body.data.map(({ uuid }: { uuid: string }) => uuid);
}

test('GET /shipments?filter[status]: open creations are listed by their status alone, for their account', async (t) => {
  const owner = await http.account();
  const stranger = await http.account();
  const license = await http.license(owner.id);
  await http.license(stranger.id);
  const created = await http.shipment(owner.id, license, {});
  const open = { state: 'reserved', tracking_code: null } as const;
  const pending = await http.shipment(owner.id, license, { columns: { ...open, status_code: 'pending' } });
  const waiting = await http.shipment(owner.id, license, {
    columns: { ...open, status_code: 'needs_attention' },
  });
  await http.shipment(owner.id, license, { columns: { ...open, state: 'refused', status_code: 'pending' } });

  const all = await uuidsOf(owner, '');
  const ofPending = await http.send('GET', '/shipments?filter[status]=pending', { as: owner });
  const ofWaiting = await uuidsOf(owner, '?filter[status]=needs_attention&filter[active]=1&sort=updated_at');
  const beyond = await uuidsOf(owner, '?filter[status]=pending&page=2');
  const inactive = await uuidsOf(owner, '?filter[status]=pending&filter[active]=0');
  const foreign = await uuidsOf(stranger, '?filter[status]=pending');

  t.deepEqual(all, [created.uuid]);
  t.like(ofPending.body.data[0], { uuid: pending.uuid, tracking_code: null });
  t.is(ofPending.body.data[0].status.code, 'pending');
  t.deepEqual(ofPending.body.meta, { current_page: 1, per_page: 25, total: 1, last_page: 1 });
  t.deepEqual(ofWaiting, [waiting.uuid]);
  t.deepEqual([beyond, inactive, foreign], [[], [], []]);
});

test('GET /shipments?filter[label_generated]: what is printed, and what is still to be', async (t) => {
  const owner = await http.account();
  const license = await http.license(owner.id);
  const printed = await http.shipment(owner.id, license, {
    columns: { label_generated: true, ready_at: '2026-11-21 09:30:00' },
  });
  const unprinted = await http.shipment(owner.id, license, {});

  const withLabel = await uuidsOf(owner, '?filter[label_generated]=true');
  const without = await uuidsOf(owner, '?filter[label_generated]=0');
  const unreadable = await http.send('GET', '/shipments?filter[label_generated]=yes', { as: owner });

  t.deepEqual([withLabel, without], [[printed.uuid], [unprinted.uuid]]);
  t.deepEqual(Object.keys(unreadable.body.error.fields), ['filter[label_generated]']);
});

test('GET /shipments: empty filters, as forms send what nobody filled in, count as absent', async (t) => {
  const owner = await http.account();
  const shipment = await http.shipment(owner.id, await http.license(owner.id), {});
  await http.license(owner.id);
  const names = ['active', 'type', 'status', 'label_generated', 'order_id', 'tracking_code', 'created_from'];
  const query = names.map((name) => `filter[${name}]=`).join('&');

  const found = await uuidsOf(owner, `?${query}&sort=&page=&per_page=&license_key=`);

  t.deepEqual(found, [shipment.uuid]);
});

test('GET /orders?cursor=: an empty cursor is the first page', async (t) => {
  const owner = await http.account();
  await http.shipment(owner.id, await http.license(owner.id), {});

  const page = await http.send('GET', '/orders?cursor=', { as: owner });

  t.is(page.status, 200, page.text);
  t.is(page.body.data.length, 1);
});

test('GET: what looks something up is read without marks that nobody sees, as what was stored', async (t) => {
  const owner = await http.account();
  const license = await http.license(owner.id);
  const orderId = `X1-${license.id}`;
  const trackingCode = `C-${license.id}`;
  const { uuid } = await http.shipment(owner.id, license, {
    orderId,
    columns: { tracking_code: trackingCode, recipient_name: 'Yossi' },
  });
  const sent = (text: string) => encodeURIComponent(` \u200f${text}\u200b`);
  const get = async (path: string) => (await http.send('GET', path, { as: owner })).status;

  t.deepEqual(await uuidsOf(owner, `?filter[order_id]=${sent(orderId)}`), [uuid]);
  t.deepEqual(await uuidsOf(owner, `?filter[tracking_code]=${sent(trackingCode)}`), [uuid]);
  t.is(await get(`/orders/${sent(orderId)}`), 200);
  t.is(await get(`/orders/${sent(orderId)}/shipments`), 200);
  t.is(await get(`/tracking/${sent(trackingCode)}`), 200);
});
