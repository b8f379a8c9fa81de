import { gzipSync } from 'node:zlib';
import test from 'ava';
import { startHttp } from '../../support/http.js';
import { formOf, sendForm, sendV1, setAppSecret } from '../../support/v1.js';

const ROUTE = '/shipping/open_new_order';
const FORM = 'application/x-www-form-urlencoded';
const SECRET = 'the-app-secret';

const stack = await startHttp();
const { license } = await stack.own();
await setAppSecret(stack, SECRET);
test.after.always(() => stack.close());

/** As PHP hands it to `http_build_query`: flags are 1 and 0, and nothing is null. */
function order(id: string) {
  return {
    license_key: license.key,
    domain: 'shop.test',
    token: 0,
    version: '2.1.1',
    ship_data: {
      street: 'הרצל',
      number: '12',
      city: 'תל אביב-יפו',
      company: '',
      note: 'שורה אחת\nשורה שנייה 🎁 100% & <b>',
      urgent: 1,
      pickup: '',
      type: '1',
      packages: '0',
      return: '2',
      motor: '1',
      woo_id: '1001',
      contact_name: ' ',
      contact_phone: '050-123 4567',
      exaction_date: '',
      collect: '',
    },
    order: {
      id,
      status: 'processing',
      total: '249.9',
      prices_include_tax: 0,
      billing: { first_name: 'דנה', last_name: 'לוי', phone: '0501234567', city: 'חיפה' },
      shipping_lines: { 7: { method_id: 'flat_rate', taxes: { total: { 3: '' } } } },
    },
    order_items: [
      { id: 5, name: 'ספל / כוס', quantity: '2', total: '84.745763', sku: '' },
      { id: 6, name: 'Gift + card', quantity: 1, total: '0', image: 0 },
    ],
  };
}

function lastCreated() {
  const request = stack.created.at(-1);
  if (request === undefined) throw new Error('nothing was created');
  const { requestId: _request, shipmentUuid: _shipment, ...creation } = request.creation;
  return { ...request, creation };
}

test.serial('a form is read as the JSON that says the same', async (t) => {
  const asJson = await sendV1(stack, 'POST', ROUTE, { json: { ...order('same'), token: '0' } });
  const json = lastCreated();
  const asForm = await sendForm(stack, ROUTE, order('same'), `${FORM}; charset=UTF-8`);
  const form = lastCreated();

  t.deepEqual([asJson.status, asForm.status], [200, 200], asForm.text);
  t.deepEqual(form, json);
  const { details } = form.creation;
  t.like(details, {
    packages: 1,
    urgent: true,
    motor: 1,
    returnType: 2,
    serviceType: 1,
    pickupPointId: null,
  });
  t.like(details.recipient, { name: 'דנה לוי', company: null });
  t.deepEqual(
    form.order.items.map(({ name, quantity, total }) => [name, quantity, total]),
    [
      ['ספל / כוס', 2, '84.75'],
      ['Gift + card', 1, '0.00'],
    ],
  );
});

test('a form may have thousands of fields, and eight levels', async (t) => {
  const items = Array.from({ length: 1000 }, (_, index) => ({ name: `P${index}`, quantity: 1, total: '1' }));
  const pick = { license_key: license.key, domain: 'x' };
  const nested = (levels: number) => `&a${'[b]'.repeat(levels - 1)}=1`;

  const many = await sendForm(stack, ROUTE, { ...order('many'), order_items: items });
  const eight = await sendForm(stack, '/shipping/order', `${formOf({ ...pick, orders: ['1'] })}${nested(8)}`);
  const nine = await sendForm(stack, '/shipping/order', `${formOf({ ...pick, orders: ['1'] })}${nested(9)}`);

  t.is(many.status, 200, many.text);
  t.is(stack.created.find(({ order: { id } }) => id === 'many')?.order.items.length, 1000);
  t.is(eight.status, 200, eight.text);
  t.deepEqual([nine.status, Object.keys(nine.body.errors)], [422, ['body']]);
});

test('a form has PHP’s lists, and no prototype', async (t) => {
  const credentials = formOf({ license_key: license.key, domain: 'x' });
  const list = (fields: string) => sendForm(stack, '/shipping/order', `${credentials}&${fields}`);

  const answers = [
    await list('orders[]=1&orders[]=2'),
    await list('orders%5B7%5D=1&orders%5B9%5D=2'),
    await list('orders[0]=1&orders[1]=2&__proto__[orders]=3&constructor[prototype][a]=4&toString=5'),
  ];

  for (const { status, body, text } of answers) t.deepEqual([status, body], [200, { 1: [], 2: [] }], text);
});

test.serial('a large form keeps nobody waiting', async (t) => {
  const filler = Array.from(
    { length: 17_000 },
    (_, index) => `order[meta][${index}][value]=${'x'.repeat(30)}`,
  );
  const form = `${formOf({ ...order('large') })}&${filler.join('&')}`;
  t.true(form.length > 900_000 && form.length < 1024 * 1024, String(form.length));

  const startedAt = performance.now();
  const [large, small] = await Promise.all([
    sendForm(stack, ROUTE, form),
    sendV1(stack, 'GET', '/license/check_license?license_key=x&domain=y'),
  ]);

  t.deepEqual([large.status, small.status], [200, 200], large.text);
  t.true(performance.now() - startedAt < 5000);
});

const json = () => JSON.stringify({ license_key: license.key, domain: 'x' });
const form = () => formOf({ license_key: license.key, domain: 'x' });
const UNREADABLE: [string, RegExp, () => { headers: Record<string, string>; raw: string | Buffer }][] = [
  ['broken JSON', /JSON object/, () => ({ headers: {}, raw: `${json()}}` })],
  ['a JSON list', /JSON object/, () => ({ headers: {}, raw: `[${json()}]` })],
  ['a JSON text', /JSON object/, () => ({ headers: {}, raw: '"text"' })],
  ['half a character', /JSON object/, () => ({ headers: {}, raw: json().replace('"x"', '"\\ud800"') })],
  ['UTF-16', /UTF-8|JSON object/, () => ({ headers: {}, raw: Buffer.from(json(), 'utf16le') })],
  [
    'windows-1255 in JSON',
    /UTF-8/,
    () => ({ headers: {}, raw: Buffer.from(json().replace('"x"', '"\xe7\xe9"'), 'latin1') }),
  ],
  [
    'another charset',
    /UTF-8/,
    () => ({ headers: { 'content-type': 'application/json; charset=windows-1255' }, raw: json() }),
  ],
  ['gzip', /Content-Encoding/, () => ({ headers: { 'content-encoding': 'gzip' }, raw: gzipSync(json()) })],
  ['deep JSON', /deep/, () => ({ headers: {}, raw: `{"a":${'['.repeat(100)}${']'.repeat(100)}}` })],
  ['no type', /Content-Type/, () => ({ headers: { 'content-type': '' }, raw: json() })],
  ['text', /Content-Type/, () => ({ headers: { 'content-type': 'text/plain' }, raw: json() })],
  [
    'a multipart form',
    /Content-Type/,
    () => ({ headers: { 'content-type': 'multipart/form-data; boundary=x' }, raw: form() }),
  ],
  ['JSON as a form', /Content-Type/, () => ({ headers: { 'content-type': FORM }, raw: json() })],
  [
    'a form in windows-1255',
    /UTF-8/,
    () => ({ headers: { 'content-type': FORM }, raw: `${form()}&ship_data[city]=%E7%E9` }),
  ],
  [
    'a form in UTF-16',
    /UTF-8/,
    () => ({ headers: { 'content-type': FORM }, raw: Buffer.from(form(), 'utf16le') }),
  ],
];

for (const [what, reason, sent] of UNREADABLE) {
  test(`${what}: a body that cannot be read is 422 at body, with the reason`, async (t) => {
    const { status, body } = await sendV1(stack, 'POST', ROUTE, sent());

    t.is(status, 422);
    t.deepEqual(Object.keys(body), ['message', 'errors']);
    t.deepEqual(body.errors, { body: [body.message] });
    t.regex(body.message, reason);
    t.notRegex(body.message, /license/i);
  });
}

test('a body that cannot be read is answered in the shape of the group, redirected without JSON in Accept, and counted', async (t) => {
  const app = await sendV1(stack, 'POST', '/create_app_user', {
    headers: { 'x-app-secret': SECRET },
    raw: '{',
  });
  const stranger = await sendV1(stack, 'POST', '/create_app_user', { raw: '{' });
  const back = await fetch(`${stack.url}/api${ROUTE}`, {
    method: 'POST',
    headers: { accept: '*/*', 'content-type': 'application/json' },
    body: '{',
    redirect: 'manual',
  });

  t.deepEqual([app.status, Object.keys(app.body)], [422, ['errors', 'message', 'success']]);
  t.deepEqual(Object.keys(app.body.errors), ['body']);
  t.is(stranger.status, 500);
  t.deepEqual([back.status, back.headers.get('location')], [302, '/']);
  t.truthy(back.headers.get('x-ratelimit-remaining'));
});

for (const [what, raw] of [
  ['nothing', undefined],
  ['an empty list', '[]'],
  ['null', 'null'],
] as const) {
  test(`a body of ${what} has no fields`, async (t) => {
    const search = `?license_key=${license.key}&domain=x&orders[]=1`;

    const { status, text } = await sendV1(
      stack,
      'POST',
      `/shipping/order${search}`,
      raw === undefined ? {} : { raw },
    );

    t.is(status, 200, text);
  });
}

for (const token of ['0', 0, '', false, null]) {
  test(`the token ${JSON.stringify(token)} is none`, async (t) => {
    const { status, text } = await sendV1(stack, 'POST', '/shipping/order', {
      json: { license_key: license.key, domain: 'x', orders: ['1'], token },
    });

    t.is(status, 200, text);
  });
}
