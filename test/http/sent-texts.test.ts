import { randomUUID } from 'node:crypto';
import test from 'ava';
import { creationBody, startHttp } from '../support/http.js';
import { sendV1 } from '../support/v1.js';

const http = await startHttp();
const { account, license } = await http.own();
test.after.always(() => http.close());

const RLM = '\u200f';
const marked = (text: string) => `${RLM}${text}\u200b${RLM}`;

type Parts = { ship_data?: object; order?: object };

async function sendV2(parts: Parts) {
  const json = creationBody({ ...parts, license_key: license.key });
  return await http.send('POST', '/shipments', { as: account, json });
}

/** The last creation that the service was asked for the order. */
function toldOf(orderId: string) {
  const request = http.created.findLast(({ order }) => order.id === orderId);
  if (request === undefined) throw new Error(`nothing was asked of ${orderId}`);
  return { ...request, details: request.creation.details };
}

test('create: texts are read without marks that nobody sees, before they are counted', async (t) => {
  const id = randomUUID();
  const ship = {
    contact_name: marked('דנה'),
    city: marked('חיפה'),
    number: marked('12א'),
    note: marked('קומה'),
  };
  const fields = {
    ...ship,
    contact_phone: marked('0501234567'),
    contact_mail: marked('dana@example.test'),
    street: marked('ר'.repeat(255)),
    entrance: RLM,
  };

  const answer = await sendV2({ ship_data: fields, order: { id: marked(id), number: marked('7') } });

  t.is(answer.status, 201, answer.text);
  const { details, order } = toldOf(id);
  t.like(details.recipient, {
    name: 'דנה',
    city: 'חיפה',
    number: '12א',
    phone: '0501234567',
    email: 'dana@example.test',
    street: 'ר'.repeat(255),
    entrance: null,
  });
  t.is(details.note, 'קומה');
  t.is(order.number, '7');
});

test('create: a required text of marks alone is missing, and so is an order id', async (t) => {
  const answer = await sendV2({
    ship_data: { contact_name: '\u200b', city: '\u3164', street: ' \u2060 ' },
    order: { id: RLM },
  });

  t.is(answer.status, 422, answer.text);
  const { 'order.id': orderId, 'ship_data.contact_name': name } = answer.body.error.fields;
  t.deepEqual(orderId, ['The order.id field is required.']);
  t.deepEqual(name, ['The ship_data.contact_name field is required.']);
});

test('create: street and city of marks alone are missing', async (t) => {
  const answer = await sendV2({ ship_data: { city: '\u3164', street: ' \u2060 ' } });

  t.deepEqual(Object.keys(answer.body.error.fields), ['ship_data.street', 'ship_data.city']);
});

test('create: HTML in names, addresses and notes is text', async (t) => {
  const id = randomUUID();
  const ship = {
    contact_name: 'O&#039;Connor &amp; Sons',
    street: '&quot;Herzl&quot;',
    note: '<p>Ring&nbsp;twice</p>Code <b>12</b><br>thanks',
  };
  const item = { name: 'חולצה &amp; מכנס &#8211; M', quantity: 1, variation: 'S &gt; M', sku: 'A&amp;B' };
  const shipping = { first_name: 'Avi &amp; Co', address_1: marked('Allenby') };

  await sendV2({ ship_data: ship, order: { id, items: [item], shipping } });

  const { details, order, creation } = toldOf(id);
  t.like(details.recipient, { name: "O'Connor & Sons", street: '"Herzl"' });
  t.is(details.note, 'Ring\u00a0twice\nCode 12\nthanks');
  t.like(order.items[0], { name: 'חולצה & מכנס – M', variation: 'S > M', sku: 'A&amp;B' });
  t.deepEqual(order.shipping, shipping);
  t.like(creation.recipient, { name: 'Avi & Co', street: 'Allenby' });
});

test('create: null and empty texts of optional fields count as absent', async (t) => {
  const id = randomUUID();
  const ship = {
    contact_mail: '',
    exaction_date: '',
    pickup: '',
    packages: '',
    is_cod: '',
    cod_amount: null,
  };
  const order = { id, billing: null, shipping: null, items: null, currency: '', total: '', number: null };

  const answer = await sendV2({ ship_data: ship, order });

  t.is(answer.status, 201, answer.text);
  const { order: told, details } = toldOf(id);
  t.like(told, { billing: {}, shipping: {}, items: [], currency: 'ILS', total: '0.00', number: id });
  t.like(details, { packages: 1, cod: null, pickupPointId: null });
});

test('create: the key is of the body as sent', async (t) => {
  const id = randomUUID();

  await sendV2({ order: { id } });
  await sendV2({ order: { id: marked(id) } });

  const keys = http.created
    .filter(({ order }) => order.id === id)
    .map(({ creation }) => creation.idempotency);
  t.is(keys.length, 2);
  t.not(keys[0]?.keyHash, keys[1]?.keyHash);
});

async function openV1(json: { ship_data?: object; order?: object; [field: string]: unknown }) {
  const body = {
    license_key: license.key,
    domain: 'shop.test',
    ...json,
    ship_data: { contact_name: 'דנה', street: 'הרצל', number: '12', city: 'חיפה', ...json.ship_data },
  };
  return await sendV1(http, 'POST', '/shipping/open_new_order', { json: body });
}

test('open_new_order: texts of ship_data and of billing are read without marks and HTML', async (t) => {
  const [own, billed] = [randomUUID(), randomUUID()];
  const address = {
    address_1: marked('אלנבי'),
    city: marked('יפו'),
    first_name: 'O&#039;Neil',
    phone: marked('0521234567'),
  };

  const first = await openV1({
    ship_data: {
      contact_name: marked('A &amp; B'),
      city: marked('חיפה'),
      note: '<br>Ring',
      contact_mail: marked('a@b.test'),
    },
    order: { id: marked(own) },
    order_items: [{ name: 'Tea &amp; milk', quantity: 1, total: 2 }],
  });
  const second = await openV1({
    ship_data: { contact_name: RLM, street: RLM, city: '\u200b', number: null },
    order: { id: billed, billing: address },
  });

  t.is(first.status, 200, first.text);
  t.is(second.status, 200, second.text);
  const told = toldOf(own);
  t.like(told.details.recipient, { name: 'A & B', city: 'חיפה', email: 'a@b.test' });
  t.is(told.details.note, 'Ring');
  t.is(told.order.items[0]?.name, 'Tea & milk');
  t.like(toldOf(billed).details.recipient, {
    name: "O'Neil",
    street: 'אלנבי',
    city: 'יפו',
    phone: '0521234567',
  });
});

test('open_new_order: an order id with marks is the same order, one of marks alone is missing', async (t) => {
  const id = randomUUID();

  await openV1({ order: { id } });
  await openV1({ order: { id: `${id}${RLM}` } });
  const missing = await openV1({ order: { id: RLM } });

  const keys = http.created
    .filter(({ order }) => order.id === id)
    .map(({ creation }) => creation.idempotency);
  t.is(keys.length, 2);
  t.deepEqual(keys[0], keys[1]);
  t.is(missing.status, 422, missing.text);
  t.deepEqual(Object.keys(missing.body.errors), ['order.id']);
});

test('open_new_order: a gift message of the meta data is text', async (t) => {
  const id = randomUUID();

  await openV1({ order: { id, meta_data: { gift_note: 'Love &amp; <b>joy</b>' } } });

  t.regex(toldOf(id).details.carrierNote ?? '', /: Love & joy$/);
});
