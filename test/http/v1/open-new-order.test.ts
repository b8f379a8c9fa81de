import test from 'ava';
import { startHttp } from '../../support/http.js';
import { sendV1, userToken } from '../../support/v1.js';

const JERUSALEM = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' });
const TOMORROW = JERUSALEM.format(new Date(Date.now() + 86_400_000));

let orders = 0;

const stack = await startHttp();
const { account, license } = await stack.own();
await stack.db.run("UPDATE license_settings SET collect_city = 'Tel Aviv' WHERE license_id = ?", [
  license.id,
]);
test.after.always(() => stack.close());

const open = (json: object) => sendV1(stack, 'POST', '/shipping/open_new_order', { json });

/** A body as a plugin sends it; the parts given replace whole fields. */
function body(parts: { ship_data?: object; order?: object; [field: string]: unknown } = {}) {
  orders += 1;
  const { ship_data, order, ...rest } = parts;
  return {
    license_key: license.key,
    domain: 'shop.test',
    ship_data: { contact_name: 'דנה לוי', street: 'הרצל', number: '12', city: 'חיפה', ...ship_data },
    order: { id: `v1-${orders}`, ...order },
    ...rest,
  };
}

/** The service's input for an accepted body. */
async function told(json: ReturnType<typeof body>) {
  const answer = await open(json);
  if (answer.status !== 200) throw new Error(answer.text);
  const request = stack.created.find((each) => each.order.id === String(json.order.id).trim());
  if (request === undefined) throw new Error('nothing was created');
  return { answer, ...request, details: request.creation.details };
}

test('open_new_order: answers in the envelope, code as text', async (t) => {
  const { answer, creation } = await told(body());

  t.is(answer.status, 200);
  const { shipping_id: id, code, ...rest } = answer.body.data;
  t.true(Number.isInteger(id));
  t.is(typeof code, 'string');
  t.deepEqual(rest, { shipping_type: 'Regular delivery', company: { name: 'Run Haifa' } });
  t.deepEqual({ ...answer.body, data: null }, { data: null, message: '', success: true, warning: '' });
  t.like(creation.idempotency, { api: 'v1', keepForSeconds: 30 * 86_400 });
  t.true(creation.multipleShipment);
});

test('open_new_order: license and order alone make the key', async (t) => {
  const first = body();
  const other = await stack.license(account.id);
  const changed = { ...first, ship_data: { ...first.ship_data, type: 2 } };
  await stack.db.run("UPDATE license_settings SET collect_city = 'Haifa' WHERE license_id = ?", [other.id]);

  const one = await told(first);
  await open(changed);
  await open({ ...first, license_key: other.key });
  const keys = stack.created
    .filter((each) => each.order.id === first.order.id)
    .map((each) => each.creation.idempotency);

  t.is(keys.length, 3);
  t.deepEqual(keys[1], one.creation.idempotency);
  t.not(keys[2]?.keyHash, keys[0]?.keyHash);
});

test('open_new_order: every field falls back to the billing address', async (t) => {
  const billing = {
    first_name: ' Avi ',
    last_name: 'Cohen',
    phone: '0521234567',
    email: 'avi@example.test',
    address_1: 'Dizengoff 50',
    address_2: 'apt 4',
    city: 'Tel Aviv',
    company: 'Acme',
  };

  const bare = await told({ ...body({ order: { billing } }), ship_data: {} as never });
  const street = await told({ ...body({ order: { billing } }), ship_data: { street: 'Herzl' } as never });

  t.deepEqual(bare.details.recipient, {
    name: 'Avi Cohen',
    phone: '0521234567',
    email: 'avi@example.test',
    company: 'Acme',
    street: 'Dizengoff 50',
    number: null,
    secondLine: 'apt 4',
    entrance: null,
    floor: null,
    apartment: null,
    city: 'Tel Aviv',
    state: null,
    zip: null,
    country: 'IL',
  });
  t.like(street.details.recipient, { street: 'Herzl', number: 'apt 4' });
});

test('open_new_order: every key of ship_data is read, numbers and flags as texts too', async (t) => {
  const { details } = await told(
    body({
      ship_data: {
        contact_name: 'Noa',
        contact_phone: 501234567,
        contact_mail: 'noa@example.test',
        company: 'Shop',
        number: 7,
        floor: '3',
        apartment: 9,
        entrance: 'B',
        type: '2',
        return: '2',
        packages: '3',
        pickup: 1001,
        pickup_address: 'Kiosk',
        note: ' Ring ',
        extra_note: 'Fragile',
        exaction_date: TOMORROW,
        woo_id: 77,
        urgent: 'true',
        motor: '2',
        collect: 1,
        is_cod: '1',
        cod_amount: '120.5',
        IsManual: true,
        shipping_id: 9,
        license_id: 9,
      },
      order: { currency: 'usd' },
      code: 'C1',
    }),
  );

  t.deepEqual(details, {
    serviceType: 2,
    returnType: 2,
    recipient: {
      name: 'Noa',
      phone: '501234567',
      email: 'noa@example.test',
      company: 'Shop',
      street: 'הרצל',
      number: '7',
      entrance: 'B',
      floor: '3',
      apartment: '9',
      city: 'חיפה',
      state: null,
      zip: null,
      country: 'IL',
    },
    carrierOrderNumber: '77',
    packages: 3,
    pickupPointId: '1001',
    pickupAddress: 'Kiosk',
    note: 'Ring',
    carrierNote: 'Ring',
    extraNote: 'Fragile',
    collectOn: TOMORROW,
    urgent: true,
    motor: 2,
    collect: true,
    cod: { amount: '120.50', currency: 'USD' },
    code: 'C1',
  });
});

test('open_new_order: what is not given has its default', async (t) => {
  const day = JERUSALEM.format(new Date());
  const { details, order } = await told(
    body({ ship_data: { packages: '', type: 'x', return: null, note: '', contact_phone: '' } }),
  );

  t.like(details, { serviceType: 1, returnType: 1, packages: 1, note: null, carrierNote: null, cod: null });
  t.is(details.recipient.phone, '');
  t.true([day, JERUSALEM.format(new Date())].includes(details.collectOn));
  t.like(order, { number: order.id, total: '0.00', currency: 'ILS', items: [], storeSiteId: null });
});

for (const [type, back, label] of [
  [1, undefined, 'Regular delivery'],
  ['1', 1, 'Regular delivery'],
  [1, 2, 'Double delivery'],
  [2, 1, 'Collecting delivery'],
  [2, '2', 'Collecting delivery'],
] as const) {
  test(`open_new_order: type ${String(type)} and return ${String(back)} are a ${label}`, async (t) => {
    const { answer } = await told(body({ ship_data: { type, return: back } }));

    t.is(answer.body.data.shipping_type, label);
  });
}

test('open_new_order: street, city and contact name must be found; the text 0 counts', async (t) => {
  const missing = await open({ ...body(), ship_data: { street: ' ', note: 'x' } });
  const zeros = await open({ ...body(), ship_data: { street: '0', city: '0', contact_name: '0' } });

  t.is(missing.status, 422);
  t.deepEqual(Object.keys(missing.body.errors).toSorted(), [
    'ship_data.city',
    'ship_data.contact_name',
    'ship_data.street',
  ]);
  t.regex(missing.body.message, /\(and 2 more errors\)$/);
  t.is(zeros.status, 200, zeros.text);
});

for (const [what, parts, field] of [
  ['no ship_data', { ship_data: undefined }, 'ship_data'],
  ['no order', { order: undefined }, 'order'],
  ['an order that is a text', { order: 'x' }, 'order'],
  ['an order id that is a number', { order: { id: 7 } }, 'order.id'],
  ['an empty order id', { order: { id: ' ' } }, 'order.id'],
  ['an item without a name', { order_items: [{ quantity: 1, total: 1 }] }, 'order_items.0.name'],
  [
    'an item with quantity 0',
    { order_items: [{ name: 'a', quantity: 0, total: 1 }] },
    'order_items.0.quantity',
  ],
  ['an item without a total', { order_items: [{ name: 'a', quantity: 1 }] }, 'order_items.0.total'],
  ['items that are a text', { order_items: 'x' }, 'order_items'],
] as const) {
  test(`open_new_order: ${what} is 422 at ${field}`, async (t) => {
    const answer = await open({ ...body(), ...parts });

    t.is(answer.status, 422, answer.text);
    t.true(field in answer.body.errors, answer.text);
    t.deepEqual(Object.keys(answer.body).toSorted(), ['errors', 'message']);
  });
}

for (const [field, ship] of [
  ['ship_data.cod_amount', { is_cod: true }],
  ['ship_data.cod_amount', { is_cod: '1', cod_amount: '₪12' }],
  ['ship_data.cod_amount', { cod_amount: '1,200.00' }],
  ['ship_data.cod_amount', { cod_amount: '-5' }],
  ['ship_data.cod_amount', { cod_amount: '999999999999.995' }],
  ['ship_data.packages', { packages: 100 }],
  ['ship_data.exaction_date', { exaction_date: '31/12/2026' }],
  ['ship_data.exaction_date', { exaction_date: '2026-02-30' }],
  ['ship_data.pickup', { pickup: 'p'.repeat(65) }],
] as const) {
  test(`open_new_order: ${JSON.stringify(ship).slice(0, 50)} is refused, not guessed`, async (t) => {
    const answer = await open(body({ ship_data: ship }));

    t.is(answer.status, 422, answer.text);
    t.deepEqual(Object.keys(answer.body.errors), [field]);
  });
}

test('open_new_order: names that no database of ours can hold are refused', async (t) => {
  const answer = await open(body({ order: { meta_data: [{ ['n'.repeat(1025)]: 1 }] } }));

  t.is(answer.status, 422, answer.text);
  t.deepEqual(Object.keys(answer.body.errors), ['order.meta_data']);
});

for (const [field, order] of [
  ['order.billing', { billing: { note: 'x'.repeat(64 * 1024) } }],
  ['order.shipping', { shipping: { note: 'x'.repeat(64 * 1024) } }],
  ['order', { meta_data: [{ key: 'invoice', value: 'x'.repeat(256 * 1024) }] }],
] as const) {
  test(`open_new_order: ${field} has a largest size, which the refusal names`, async (t) => {
    const answer = await open(body({ order }));

    t.is(answer.status, 422, answer.text);
    t.deepEqual(Object.keys(answer.body.errors), [field]);
    t.is(answer.body.message, answer.body.errors[field][0]);
    t.regex(answer.body.message, /^The order[.a-z]* field must not be greater than (64|256) kilobytes\.$/);
  });
}

test('open_new_order: an order of the largest size is taken', async (t) => {
  const address = { note: 'x'.repeat(64 * 1024 - 20) };

  const { order } = await told(
    body({ order: { billing: address, shipping: address, meta_data: 'x'.repeat(127 * 1024) } }),
  );

  t.deepEqual([order.billing, order.shipping], [address, address]);
});

test('open_new_order: an explicit no wins over an amount to collect', async (t) => {
  for (const amount of [50, 'none', '-1', false]) {
    t.is((await told(body({ ship_data: { is_cod: false, cod_amount: amount } }))).details.cod, null);
  }
  t.deepEqual((await told(body({ ship_data: { cod_amount: 50 } }))).details.cod, {
    amount: '50.00',
    currency: 'ILS',
  });
});

test('open_new_order: the prefix stands before number and woo_id', async (t) => {
  const prefixed = await stack.license(account.id, { orderPrefix: 'WEB-' });
  const with_ = (parts: Parameters<typeof body>[0]) => told({ ...body(parts), license_key: prefixed.key });

  const plain = await with_({});
  const numbered = await with_({ order: { number: '#5' } });
  const woo = await with_({ ship_data: { woo_id: '9' } });

  t.is(plain.order.number, `WEB-${plain.order.id}`);
  t.is(plain.details.carrierOrderNumber, `WEB-${plain.order.id}`);
  t.is(numbered.order.number, 'WEB-#5');
  t.like(woo.details, { carrierOrderNumber: 'WEB-9' });
  t.is(woo.order.number, `WEB-${woo.order.id}`);
});

test('open_new_order: the note tells the gift and the products, or nothing', async (t) => {
  const own = await stack.license(account.id);
  const set = (columns: string) =>
    stack.db.run(`UPDATE license_settings SET ${columns} WHERE license_id = ?`, [own.id]);
  const mark = { key: '_gift_note', value: 'מזל טוב' };
  const send = (metaData: object = [mark]) =>
    told({
      ...body({
        ship_data: { note: 'Ring' },
        order: { meta_data: metaData },
        order_items: [{ name: 'Mug', quantity: '2', total: '10.00' }],
      }),
      license_key: own.key,
    });

  const gift = await send();
  // PHP's form of a list from which it left some out.
  const filtered = await send({ 2: { key: '_other', value: 1 }, 5: mark });
  await set('print_products_on_label_notes = TRUE');
  const products = await send();
  await set('send_note_on_order = FALSE');
  const silent = await send();

  t.is(gift.details.carrierNote, 'Ring | Gift: מזל טוב');
  t.is(filtered.details.carrierNote, 'Ring | Gift: מזל טוב');
  t.is(products.details.carrierNote, 'Ring | Gift: מזל טוב | 2 x Mug');
  t.is(products.details.note, 'Ring');
  t.like(silent.details, { note: null, carrierNote: null });
});

test('open_new_order: a blocked status is 400 and creates nothing', async (t) => {
  const own = await stack.license(account.id, { blockedStatuses: ['on-hold'] });
  const json = { ...body({ order: { status: 'on-hold' } }), license_key: own.key };

  const blocked = await open(json);

  t.is(blocked.status, 400);
  t.like(blocked.body, { data: [], success: false, warning: '' });
  t.false(stack.created.some((each) => each.order.id === json.order.id));
});

test('open_new_order: a collection is brought where the license, else the request says', async (t) => {
  const own = await stack.license(account.id);
  const wanted = { collect_street: 'Allenby', collect_street_number: 5, collect_city: 'Haifa' };
  const collection = (settings?: object) => ({
    ...body({ ship_data: { type: 2 } }),
    license_key: own.key,
    ...(settings === undefined ? {} : { shipment_settings: settings }),
  });
  const fromOf = async (settings: object) => (await told(collection(settings))).details.collectFrom;

  await stack.db.run("UPDATE license_settings SET collect_city = 'Tel Aviv' WHERE license_id = ?", [own.id]);
  const licensed = await fromOf(wanted);
  await stack.db.run("UPDATE license_settings SET collect_city = '' WHERE license_id = ?", [own.id]);
  const requested = await fromOf(wanted);
  const nowhere = await open(collection());

  t.is(licensed, undefined);
  t.deepEqual(requested, { street: 'Allenby', number: '5', city: 'Haifa', company: '' });
  t.is(nowhere.status, 500);
  t.deepEqual(nowhere.body, {
    data: [],
    message: 'The destination city field is required.',
    success: false,
    warning: '',
  });
});

test("open_new_order: a token names the order's store site by the domain", async (t) => {
  const token = await userToken(stack, account.id);
  const { insertId } = await stack.db.run(
    "INSERT INTO store_sites (account_id, platform, domain) VALUES (?, 'woocommerce', 'my-shop.test')",
    [account.id],
  );

  const known = await told(body({ token, domain: 'my-shop.test' }));
  const asAddress = await told(body({ token, domain: 'https://My-Shop.test/he/' }));
  const strange = await told(body({ token, domain: 'other.test' }));
  const anonymous = await told(body({ domain: 'my-shop.test' }));

  t.is(known.order.storeSiteId, insertId);
  t.is(asAddress.order.storeSiteId, insertId);
  t.is(strange.order.storeSiteId, null);
  t.is(anonymous.order.storeSiteId, null);
});

test('open_new_order: a refusal of the carrier is 500 with its text', async (t) => {
  const { status, body: answer } = await open(body({ order: { id: 'carrier_rejected' } }));

  t.is(status, 500);
  t.deepEqual(answer, { data: [], message: 'Refused: carrier_rejected.', success: false, warning: '' });
});

test('open_new_order: a carrier that takes long is asked about again', async (t) => {
  const answer = await open(body({ order: { id: 'slow-1' } }));

  t.is(answer.status, 500);
  t.like(answer.body, { data: [], success: false });
  t.is(answer.headers.get('retry-after'), '10');
});

test('open_new_order: a repeat is marked', async (t) => {
  const { body: answer } = await open(body({ order: { id: 'replay-1' } }));

  t.true(answer.data.idempotent);
});

test('open_new_order: amounts are numeric as in PHP, however many places they have', async (t) => {
  const totals = ['84.745762711864406779', '.5', '7.', '1.4210854715202E-14', '1e2', '+3', '-4.5'];
  const { order, details } = await told(
    body({
      ship_data: { is_cod: 1, cod_amount: '120.30000000000001' },
      order: { total: '84.745762711864406779' },
      order_items: totals.map((total) => ({ name: 'Mug', quantity: 1, total })),
    }),
  );

  t.deepEqual(
    order.items.map(({ total }) => total),
    ['84.75', '0.50', '7.00', '0.00', '100.00', '3.00', '-4.50'],
  );
  t.deepEqual([order.total, details.cod?.amount], ['84.75', '120.30']);
});

test('open_new_order: items are kept as they are sold', async (t) => {
  const { order } = await told(
    body({
      order_items: [
        { name: 'Mug', quantity: '2', total: '10.00', sku: 'M', variation: 'Blue', product_id: 4 },
        { name: 'Download', quantity: 1, total: 0, virtual: 'yes' },
      ],
      order: { billing: [], shipping: { city: 'Haifa' }, total: '10.0', external_id: 5 },
    }),
  );

  t.deepEqual(order.items, [
    { name: 'Mug', quantity: 2, total: '10.00', sku: 'M', variation: 'Blue', virtual: false },
    { name: 'Download', quantity: 1, total: '0.00', sku: null, variation: null, virtual: true },
  ]);
  t.like(order, { total: '10.00', externalId: '5', shipping: { city: 'Haifa' } });
});
