import { randomUUID } from 'node:crypto';
import test from 'ava';
import { creationBody, startHttp } from '../support/http.js';
import { uploadOrders } from '../support/import-drafts.js';
import { askPanel, cookieOf } from '../support/panel.js';
import { sendV1 } from '../support/v1.js';

const http = await startHttp();
const { account, license } = await http.own();
test.after.always(() => http.close());

for (const [said, code] of [
  ['Israel', 'IL'],
  ['ISR', 'IL'],
  ['ישראל', 'IL'],
  ['USA', 'US'],
  ['fr', 'FR'],
  ['', 'IL'],
  [null, 'IL'],
] as const) {
  test(`POST /shipments: the recipient's country is ${code} when the order says ${said}`, async (t) => {
    const id = randomUUID();

    const answer = await create({ id, shipping: { country: said } });

    t.is(answer.status, 201, answer.text);
    t.is(created(id)?.creation.recipient?.country ?? 'IL', code);
  });
}

for (const said of ['Narnia', 'XX', 'IL,US', 376, 'x'.repeat(300)]) {
  test(`POST /shipments: 422 at its path when the order's country is ${String(said).slice(0, 9)}`, async (t) => {
    const id = randomUUID();

    const answer = await create({ id, shipping: { country: said } });

    t.is(answer.status, 422, answer.text);
    t.deepEqual(Object.keys(answer.body.error.fields), ['order.shipping.country']);
    t.is(created(id), undefined);
  });
}

test('open_new_order: the country of the delivery, else of the billing, in any words', async (t) => {
  const both = await open({ shipping: { country: 'USA' }, billing: { country: 'IL' } });
  const billing = await open({ shipping: { country: '' }, billing: { country: 'צרפת' } });
  const none = await open({});

  t.deepEqual([both.country, billing.country, none.country], ['US', 'FR', 'IL']);
  t.deepEqual([both.warning, billing.warning, none.warning], ['', '', '']);
});

test('open_new_order: a country that is none is left to the carrier, with a warning', async (t) => {
  const { country, stored, warning } = await open({ shipping: { country: 'Narnia' } });

  t.is(country, 'Narnia');
  t.is(stored, 'ZZ');
  t.is(warning, "The order's country, Narnia, is none that we know: the carrier gets it as written.");
});

test('POST /imports/new: a country that is none is a fault of its cell, and is mended there', async (t) => {
  const { id } = await http.account();
  await http.license(id);
  const cookie = await cookieOf(http, 'staff', id);
  const base = `${http.url}/panel/a/${id}`;
  const row = (order: string, country: string) => `${order},Dana,0501234567,Herzl,Haifa,${country}`;
  const content = [
    'order,name,phone,street,city,country',
    row('1', 'Israel'),
    row('2', 'Narnia'),
    row('3', 'ארה"ב'),
  ].join('\n');
  const { to } = await uploadOrders(base, cookie, { content, name: 'orders.csv' });
  const draft = `${http.url}${to?.split('?')[0]}`;

  const checked = await askPanel(draft, { headers: { cookie } });
  const [cell = ''] = /r\d+\.order\.shipping\.country/.exec(checked.text) ?? [];
  const was = /name="was" value="([^"]*)"/.exec(checked.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  await askPanel(`${draft}/rows`, {
    headers: { cookie },
    form: [
      ['was', was],
      [cell, 'ISR'],
    ],
  });
  const mended = await askPanel(draft, { headers: { cookie } });

  t.true(checked.text.includes('1 ready · 1 need you'), checked.text);
  t.not(cell, '');
  t.true(mended.text.includes('2 ready'), mended.text);
  t.true(mended.text.includes('Goes abroad'));
});

function create(order: { id: string; shipping: object }) {
  return http.send('POST', '/shipments', { as: account, json: creationBody({ order }) });
}

function created(id: string) {
  return http.created.find((each) => each.order.id === id);
}

async function open(order: object) {
  const id = randomUUID();
  const answer = await sendV1(http, 'POST', '/shipping/open_new_order', {
    json: {
      license_key: license.key,
      domain: 'shop.test',
      ship_data: { contact_name: 'Dana', street: 'Herzl', number: '12', city: 'Haifa' },
      order: { id, ...order },
    },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  const { creation } = created(id) ?? {};
  return {
    warning: answer.body.warning,
    country: creation?.details.recipient.country,
    stored: creation?.recipient?.country,
  };
}
