import test from 'ava';
import { creationBody, startHttp } from '../support/http.js';
import { send } from '../support/http-send.js';

const http = await startHttp();
const { account, license } = await http.own();
test.after.always(() => http.close());

/** The same moment in the forms of PHP, Python, Java and Ruby. */
const MOMENTS = [
  '2026-11-21T12:00:00+0200',
  '2026-11-21T12:00:00+02:00',
  '2026-11-21T12:00:00+02',
  '2026-11-21 12:00:00+02:00',
  '2026-11-21T12:00+02:00[Asia/Jerusalem]',
  '2026-11-21 12:00:00 +0200',
  '2026-11-21T10:00:00.000000Z',
];

test('GET /shipments?filter[created_from]: moments as languages write them, with and without an encoded plus', async (t) => {
  const owner = await http.account();
  const own = await http.license(owner.id);
  const at = (time: string) =>
    http.shipment(owner.id, own, { columns: { created_at: `2026-11-21 ${time}` } });
  const later = await at('10:00:01');
  await at('09:59:59');
  const listed = async (text: string) => {
    const { body, text: answer } = await http.send('GET', `/shipments?filter[created_from]=${text}`, {
      as: owner,
    });
    return body.data?.map(({ uuid }: { uuid: string }) => uuid) ?? answer;
  };

  for (const moment of MOMENTS) {
    t.deepEqual(await listed(encodeURIComponent(moment)), [later.uuid], moment);
    t.deepEqual(await listed(moment.replaceAll(' ', '%20')), [later.uuid], `${moment}, not encoded`);
  }
});

test('POST /exports: takes moments as languages write them, and shows an example where it refuses one', async (t) => {
  for (const [index, moment] of MOMENTS.entries()) {
    const own = await http.license(account.id);
    const json = { license_key: own.key, filter: { created_from: moment }, format: 'csv' };
    t.is((await http.send('POST', '/exports', { as: account, json })).status, 202, `${index} ${moment}`);
  }
  const wrong = await http.send('POST', '/exports', {
    as: account,
    json: { license_key: license.key, filter: { created_to: '28/11/2026' } },
  });

  t.is(wrong.status, 422);
  t.regex(
    wrong.body.error.fields['filter.created_to'][0],
    /like 2027-01-31T22:00:00\+02:00 or 2027-01-31\.$/,
  );
});

for (const [name, json] of [
  ['an empty list', []],
  ['null', null],
] as const) {
  test(`${name} in place of a body that may be left out is an empty object`, async (t) => {
    const { uuid } = await http.shipment(account.id, license);

    const cancelled = await http.send('POST', `/shipments/${uuid}/cancel`, { as: account, json });
    const filled = await http.send('POST', `/shipments/${uuid}/cancel`, { as: account, json: ['x'] });
    const needed = await http.send('POST', '/shipments', { as: account, json });

    t.is(cancelled.status, 200, cancelled.text);
    t.is(cancelled.body.data.status.code, 'cancelled');
    t.deepEqual([filled.status, needed.status], [422, 422]);
  });
}

test('POST /shipments: an order without addresses, which PHP sends as empty lists, is taken', async (t) => {
  const order = (addresses: unknown[]) => ({ id: 'no-addresses', billing: addresses, shipping: addresses });
  const body = creationBody({ license_key: license.key });

  const created = await http.send('POST', '/shipments', { as: account, json: { ...body, order: order([]) } });
  const wrong = await http.send('POST', '/shipments', {
    as: account,
    json: { ...body, order: order(['x']) },
  });

  t.is(created.status, 201, created.text);
  t.deepEqual(Object.keys(wrong.body.error.fields), ['order.billing', 'order.shipping']);
});

test('a base address with a slash at its end reaches both APIs', async (t) => {
  const base = http.url;

  for (const path of ['//api/v2/shipments', '/api/v2//shipments', '//api//v2//shipments']) {
    const list = await send(`${base}${path}?per_page=1&filter[order_id]=a//b`, 'GET', { as: account });
    t.is(list.status, 200, path);
    t.regex(list.body.links.first, /\/api\/v2\/shipments\?.*a(?:\/\/|%2F%2F)b/, path);
  }
  const v1 = await send(`${base}//api/license/check_license`, 'GET', {
    headers: { accept: 'application/json' },
  });
  t.is(v1.status, 422, v1.text);
  t.is((await send(`${base}//api/v2/nothing`, 'GET', { as: account })).status, 404);
});
