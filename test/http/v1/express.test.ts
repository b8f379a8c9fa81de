import test from 'ava';
import { type ApiClient, shipmentBody, startApiStack } from '../../support/api-client.js';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import type { HttpLicense } from '../../support/http.js';
import { type HttpAnswer, send } from '../../support/http-send.js';
import type { SandboxClient } from '../../support/sandbox-client.js';
import { type TestStack } from '../../support/stack.js';
import { JSON_HEADERS, query } from '../../support/v1.js';

const HERE = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות' };

let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  ({ stack, api } = await startApiStack());
});
test.after.always(() => stack?.close());

type Parameters = Record<string, string | number>;

const get = (action: string, key: string, parameters: Parameters = {}, url = api.url): Promise<HttpAnswer> =>
  send(
    `${url}/api/shipping/${action}${query({ license_key: key, domain: 'shop.test', ...parameters })}`,
    'GET',
    {
      headers: JSON_HEADERS,
    },
  );

function sandboxOf(provider: string): SandboxClient {
  const sandbox = stack.sandboxes.get(provider);
  if (sandbox === undefined) throw new Error(`${provider} has no sandbox`);
  return sandbox;
}

/** A license of the account whose parcels are collected in Tel Aviv, unless the parts say otherwise. */
const licensed = (
  provider: string,
  parts: { settings?: Record<string, unknown>; collectFrom?: typeof HERE } = {},
): Promise<HttpLicense> =>
  insertCarrierLicense(stack, {
    accountId: stack.account.id,
    provider,
    baseUrl: sandboxOf(provider).url,
    collectFrom: HERE,
    ...parts,
  });

const keyOf = (provider: string) => stack.account.licenseKeys[provider] ?? '';
const failure = (message: string, data: unknown = []) => ({ data, message, success: false, warning: '' });

const QUOTE: Parameters = {
  city: 'רמת גן',
  street: 'ביאליק',
  street_number: 12,
  name: 'דנה לוי',
  phone: '0501234567',
  date: '2026-11-23',
  package_size: 'SMALL',
};
const TO: Parameters = { city: 'חיפה', street: 'הרצל' };
const ROUTES: [string, string, string, Parameters, string[]][] = [
  ['same_day_delivery_quote', 'getpackage', 'wolt_drive', QUOTE, Object.keys(QUOTE)],
  ['create_shipping_promise', 'wolt_drive', 'getpackage', TO, ['city', 'street']],
  ['get_express_delivery_enabled', 'lionwheel', 'run', TO, ['city', 'street']],
  ['get_express_delivery_status', 'lionwheel', 'run', { shipping_id: 'x' }, ['shipping_id']],
];

for (const [action, provider, other, parameters, required] of ROUTES) {
  test.serial(
    `${action}: the license goes before the carrier, the carrier before the parameters`,
    async (t) => {
      const inactive = await licensed(provider);
      await stack.db.run('UPDATE licenses SET is_active = FALSE WHERE id = ?', [inactive.id]);

      const none = await send(`${api.url}/api/shipping/${action}`, 'GET', { headers: JSON_HEADERS });
      const refused = await get(action, inactive.key);
      const unsupported = [await get(action, keyOf(other)), await get(action, keyOf(other), parameters)];
      const invalid = await get(action, keyOf(provider));

      t.is(none.status, 422);
      t.deepEqual([refused.status, refused.body], [403, failure('Invalid License Key')]);
      for (const { status, body } of unsupported) {
        t.deepEqual([status, body], [400, failure('Not supported for this provider')]);
      }
      t.is(invalid.status, 422);
      t.deepEqual(Object.keys(invalid.body.errors).sort(), required.toSorted());
    },
  );

  test.serial(`${action}: of a premium company only for its members`, async (t) => {
    const premium = await licensed(provider);
    await stack.db.run(
      'UPDATE companies SET is_premium = TRUE WHERE id = (SELECT company_id FROM licenses WHERE id = ?)',
      [premium.id],
    );

    const { status, body } = await get(action, premium.key, parameters);

    t.deepEqual(
      [status, body],
      [403, failure('Premium companies are not supported in this version of plugin')],
    );
  });
}

test.serial("same_day_delivery_quote: the carrier's body as it is, for every size", async (t) => {
  const { key } = await licensed('getpackage');

  for (const size of ['0', 1, '2', '3', 'ENVELOPE', 'SMALL', 'MEDIUM', 'LARGE']) {
    const { status, body } = await get('same_day_delivery_quote', key, { ...QUOTE, package_size: size });

    t.is(status, 200, JSON.stringify(body));
    t.deepEqual(body, {
      data: { totalRate: 29.9, currency: 'ILS', taxRate: 0.18 },
      message: '',
      success: true,
      warning: '',
    });
  }
  t.deepEqual(await sandboxOf('getpackage').ledger(), []);
});

test.serial('same_day_delivery_quote: validates every parameter', async (t) => {
  const { key } = await licensed('getpackage');
  const wrong: Parameters[] = [
    { street_number: '12a' },
    { date: '23/11/2026' },
    { date: '2026-02-30' },
    { package_size: '4' },
    { package_size: 'small' },
    { phone: ' ' },
    { name: '' },
  ];

  for (const part of wrong) {
    const { status, body } = await get('same_day_delivery_quote', key, { ...QUOTE, ...part });
    t.deepEqual([status, Object.keys(body.errors ?? {})], [422, Object.keys(part)], JSON.stringify(part));
  }
});

test.serial('same_day_delivery_quote: a collection city that is not listed is named', async (t) => {
  const collectFrom = { street: 'Herzl', number: '7', city: 'Atlantis', company: 'Blue' };
  const { key } = await licensed('getpackage', { collectFrom });

  const { status, body } = await get('same_day_delivery_quote', key, QUOTE);

  t.deepEqual([status, body], [400, failure('City Atlantis is not in location list')]);
});

test.serial('same_day_delivery_quote: a collection city is found under its other names', async (t) => {
  const prices = [];

  for (const city of ['תל אביב', 'Tel Aviv', 'Jaffa', 'تل أبيب', 'Holon']) {
    const { key } = await licensed('getpackage', { collectFrom: { ...HERE, city } });
    const { status, body } = await get('same_day_delivery_quote', key, QUOTE);
    prices.push([city, status, body.message, body.data.totalRate]);
  }

  t.deepEqual(
    prices.filter(([, status]) => status !== 200),
    [],
  );
  t.deepEqual(new Set(prices.map(([, , , price]) => price)), new Set([29.9]));
});

test.serial(
  "same_day_delivery_quote: the request's collection address counts where the license has none",
  async (t) => {
    const nowhere = { street: '', number: '', city: '', company: '' };
    const [without, withOne] = [
      await licensed('getpackage', { collectFrom: nowhere }),
      await licensed('getpackage'),
    ];
    const asked = (city: string) => ({
      ...QUOTE,
      'shipment_settings[collect_city]': city,
      'shipment_settings[collect_street]': 'Herzl',
      'shipment_settings[collect_street_number]': '7',
    });

    const statuses = [];
    for (const [key, parameters] of [
      [without.key, asked('חולון')],
      [without.key, asked('אילת')],
      [without.key, QUOTE],
      [withOne.key, asked('אילת')],
    ] as const) {
      const { status, body } = await get('same_day_delivery_quote', key, parameters);
      statuses.push([status, body.message]);
    }

    t.deepEqual(statuses, [
      [200, ''],
      [400, 'City אילת is not in location list'],
      [400, 'City  is not in location list'],
      [200, ''],
    ]);
  },
);

test.serial(
  "same_day_delivery_quote: the carrier's HTTP error comes with its body, a silent one without",
  async (t) => {
    const { key } = await licensed('getpackage');
    const refused = await get('same_day_delivery_quote', key, { ...QUOTE, city: 'x' });
    await sandboxOf('getpackage').fault({ operation: 'quote', kind: 'drop_before' });
    const silent = await get('same_day_delivery_quote', key, QUOTE);

    t.is(refused.status, 400);
    t.like(refused.body, { message: 'Error Retrieving Quote', success: false });
    t.like(refused.body.data, { statusCode: 400, error: 'Bad Request' });
    t.deepEqual([silent.status, silent.body], [400, failure('Error Retrieving Quote')]);
  },
);

test.serial('same_day_delivery_quote: settlements are kept for a day, for every process', async (t) => {
  const { id, key } = await licensed('getpackage');
  const second = await stack.startApi();
  const age = (hours: number) =>
    stack.db.run(
      `UPDATE settlement_copies SET settlements = '["elsewhere"]', refreshed_at = NOW(6) - INTERVAL ? HOUR
       WHERE license_id = ?`,
      [hours, id],
    );
  const quote = async (url: string) => (await get('same_day_delivery_quote', key, QUOTE, url)).body.message;
  const breakList = () => sandboxOf('getpackage').fault({ operation: 'region', kind: 'status', value: 500 });
  await breakList();
  const without = await quote(api.url);
  const first = await quote(api.url);
  await breakList();
  const kept = await quote(second);
  await age(23);
  const stillKept = await quote(second);
  await age(25);
  const stale = await quote(second);
  const renewed = await quote(second);

  const unlisted = 'City תל אביב-יפו is not in location list';
  t.is(without, 'Error Retrieving Quote');
  t.deepEqual([first, kept, stillKept], ['', '', unlisted]);
  // The list cannot be had, so the old one stands in; once it can, it is renewed.
  t.deepEqual([stale, renewed], [unlisted, '']);
});

test.serial(
  'create_shipping_promise: the carrier price in main units, by the rule of the license',
  async (t) => {
    const { key } = await licensed('wolt_drive');
    const fixed = await licensed('wolt_drive', { settings: { price_type: 'fix', fix_price: '12.5' } });
    const marked = await licensed('wolt_drive', { settings: { price_type: 'markup', markup_price: '3.10' } });

    const plain = await get('create_shipping_promise', key, { ...TO, street_number: '12' });
    const fix = await get('create_shipping_promise', fixed.key, { ...TO, street_number: 12 });
    const markup = await get('create_shipping_promise', marked.key, { ...TO, street_number: 12 });

    t.is(plain.status, 200, plain.text);
    t.deepEqual([plain.body.message, plain.body.success], ['', true]);
    const { amount } = plain.body.data.price;
    t.true(amount >= 15.05 && amount < 41, String(amount));
    t.is(fix.body.data.price.amount, 12.5);
    t.is(Math.round(markup.body.data.price.amount * 100), Math.round(amount * 100) + 310);
    t.is(plain.body.data.dropoff.location.formatted_address, 'הרצל 12, חיפה');
  },
);

test.serial('create_shipping_promise: outside the hours the carrier is not asked', async (t) => {
  const hour = (ahead: number) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Asia/Jerusalem',
      hour: '2-digit',
      minute: '2-digit',
    }).format(Date.now() + ahead * 3_600_000);
  const closed = await licensed('wolt_drive', {
    settings: { opening_time: hour(2), closing_time: hour(3) },
  });
  const open = await licensed('wolt_drive', { settings: { opening_time: hour(-2), closing_time: hour(3) } });
  await sandboxOf('wolt_drive').fault({ operation: 'quote', kind: 'error_in_200', value: 0 });

  const refused = await get('create_shipping_promise', closed.key, TO);
  const asked = await get('create_shipping_promise', open.key, TO);
  const answered = await get('create_shipping_promise', open.key, TO);

  const text = 'Delivery area will be closed at the requested delivery time';
  t.deepEqual([refused.status, refused.body], [400, failure(text, { details: text })]);
  // The fault was still waiting for the first question that reached the carrier.
  t.deepEqual([asked.status, asked.body.success], [400, false]);
  t.not(asked.body.message, '');
  t.is(answered.status, 200);
});

test.serial(
  'get_express_delivery_enabled: whether the carrier comes there, or why it cannot say',
  async (t) => {
    const ask = (city: string) => get('get_express_delivery_enabled', keyOf('lionwheel'), { ...TO, city });

    const [near, far] = [await ask('חיפה'), await ask('אילת')];
    await sandboxOf('lionwheel').fault({ operation: 'region', kind: 'drop_before' });
    const silent = await ask('חיפה');

    t.deepEqual([near.status, near.body.data], [200, { enabled: true }]);
    t.deepEqual([far.status, far.body.data], [200, { enabled: false }]);
    t.deepEqual([silent.status, silent.body.success, silent.body.data], [400, false, []]);
    t.not(silent.body.message, '');
  },
);

test.serial("get_express_delivery_status: in the carrier's words, of the license's shipments", async (t) => {
  const { body: created } = await api.create(shipmentBody(stack.account, 'lionwheel'));
  const code: string = created.data.tracking_code;
  await sandboxOf('lionwheel').advance(code, 'out_for_delivery');
  const other = await licensed('lionwheel');
  const ask = (id: string, key = keyOf('lionwheel')) =>
    get('get_express_delivery_status', key, { shipping_id: id });

  const told = await ask(code);
  const foreign = await ask(code, other.key);
  const unknown = await ask('nothing');
  await sandboxOf('lionwheel').fault({ operation: 'status', kind: 'drop_before' });
  const silent = await ask(code);
  await sandboxOf('lionwheel').fault({ operation: 'status', kind: 'status', value: 404 });
  const lost = await ask(code);

  t.deepEqual(told.body, {
    data: { code, status: 'ACTIVE', description: 'Active' },
    message: '',
    success: true,
    warning: '',
  });
  for (const [answer, id] of [
    [foreign, code],
    [unknown, 'nothing'],
  ] as const) {
    t.deepEqual(
      [answer.status, answer.body],
      [404, { message: `No query results for model [Shipment] ${id}` }],
    );
  }
  t.deepEqual([silent.status, silent.body.success, silent.body.data], [400, false, []]);
  t.deepEqual([lost.status, lost.body.success], [400, false]);
});
