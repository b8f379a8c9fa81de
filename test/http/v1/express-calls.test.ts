import test from 'ava';
import { insertCarrierLicense } from '../../support/carrier-licenses.js';
import type { HttpLicense } from '../../support/http.js';
import { type HttpAnswer, send } from '../../support/http-send.js';
import { sendRawGet } from '../../support/raw-get.js';
import { startRecordingProxy } from '../../support/recording-proxy.js';
import { startStack, type TestStack } from '../../support/stack.js';
import { JSON_HEADERS, query } from '../../support/v1.js';

const HERE = { street: 'אלנבי', number: '1', city: 'תל אביב-יפו', company: 'חנות' };
const QUOTE = {
  city: 'רמת גן',
  street: 'ביאליק',
  street_number: 12,
  name: 'Never Forwarded',
  phone: '0509998887',
  date: '2031-05-06',
  package_size: 'SMALL',
};
const TO = { city: 'חיפה', street: 'הרצל' };
const HEBREW = /[\u05d0-\u05ea]/;

let stack: TestStack;
let url: string;
/** The same API in Hebrew. */
let hebrew: string;

test.before(async () => {
  stack = await startStack();
  url = await stack.startApi();
  hebrew = await stack.startApi(undefined, { locale: 'he' });
});
test.after.always(() => stack?.close());

type Parameters = Record<string, string | number>;

const get = (action: string, key: string, parameters: Parameters, base = url): Promise<HttpAnswer> =>
  send(
    `${base}/api/shipping/${action}${query({ license_key: key, domain: 'shop.test', ...parameters })}`,
    'GET',
    { headers: JSON_HEADERS },
  );

function sandboxUrl(provider: string): string {
  const sandbox = stack.sandboxes.get(provider);
  if (sandbox === undefined) throw new Error(`${provider} has no sandbox`);
  return sandbox.url;
}

const licensed = (
  provider: string,
  baseUrl = sandboxUrl(provider),
  settings: Record<string, unknown> = {},
): Promise<HttpLicense> =>
  insertCarrierLicense(stack, {
    accountId: stack.account.id,
    provider,
    baseUrl,
    collectFrom: HERE,
    settings,
  });

for (const [action, provider, parameters] of [
  ['same_day_delivery_quote', 'getpackage', QUOTE],
  ['create_shipping_promise', 'wolt_drive', TO],
  ['get_express_delivery_enabled', 'lionwheel', TO],
] as const) {
  test.serial(`${action}: a JSON body is read too, a form-encoded one answers 422`, async (t) => {
    const { key } = await licensed(provider);
    const all: Record<string, string | number> = { license_key: key, domain: 'shop.test', ...parameters };
    const ask = (search: string, type: string, raw: string) =>
      sendRawGet(`${url}/api/shipping/${action}${search}`, { ...JSON_HEADERS, 'content-type': type }, raw);
    const form = query(all).slice(1);

    const json = await ask('', 'application/json', JSON.stringify(all));
    const formAlone = await ask('', 'application/x-www-form-urlencoded', form);
    const formBehind = await ask(
      query({ license_key: key, domain: 'x' }),
      'application/x-www-form-urlencoded',
      form,
    );

    t.is(json.status, 200, json.text);
    t.is(formAlone.status, 422);
    t.deepEqual(Object.keys(JSON.parse(formAlone.text).errors), ['license_key', 'domain']);
    t.is(formBehind.status, 422);
    t.true(Object.keys(JSON.parse(formBehind.text).errors).includes('city'));
  });
}

test.serial(
  'same_day_delivery_quote: the carrier gets both addresses and the size, never name or date',
  async (t) => {
    const proxy = await startRecordingProxy(sandboxUrl('getpackage'));
    t.teardown(() => proxy.close());
    const { key } = await licensed('getpackage', proxy.url);

    const { status, text } = await get('same_day_delivery_quote', key, QUOTE);

    t.is(status, 200, text);
    const asked = proxy.requests.find(({ path }) => path.endsWith('sharedRoute/quote'));
    const told = JSON.stringify(asked?.json);
    for (const wanted of [HERE.city, HERE.street, QUOTE.city, QUOTE.street, 'SMALL']) {
      t.true(told.includes(wanted), `${wanted} in ${told}`);
    }
    for (const kept of [QUOTE.name, QUOTE.phone, QUOTE.date]) {
      t.false(JSON.stringify(proxy.requests).includes(kept), kept);
    }
  },
);

test.serial(
  'create_shipping_promise: the venue is asked, the number behind the street; closed, it is not',
  async (t) => {
    const proxy = await startRecordingProxy(sandboxUrl('wolt_drive'));
    t.teardown(() => proxy.close());
    const clock = (ahead: number) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone: 'Asia/Jerusalem',
        hour: '2-digit',
        minute: '2-digit',
      }).format(Date.now() + ahead * 3_600_000);
    const open = await licensed('wolt_drive', proxy.url, { min_preparation_time_minutes: 25 });
    const closed = await licensed('wolt_drive', proxy.url, {
      opening_time: clock(2),
      closing_time: clock(3),
    });

    const refused = await get('create_shipping_promise', closed.key, TO);
    const before = proxy.requests.length;
    const answered = await get('create_shipping_promise', open.key, { ...TO, street_number: '12' });

    t.is(refused.status, 400);
    t.is(before, 0);
    t.is(answered.status, 200, answered.text);
    const [asked] = proxy.requests;
    t.regex(asked?.path ?? '', /\/venues\/venue-1\/shipment-promises/);
    const told = JSON.stringify(asked?.json);
    t.true(told.includes('הרצל 12'), told);
    t.true(told.includes('25'), told);
  },
);

test.serial(
  'get_express_delivery_enabled: an address that the carrier does not find is its refusal',
  async (t) => {
    const { key } = await licensed('lionwheel');

    const { status, body } = await get('get_express_delivery_enabled', key, { ...TO, city: 'nowhere' });

    t.is(status, 400);
    t.deepEqual(body, { data: [], message: "Couldn't find the address", success: false, warning: '' });
  },
);

test.serial(
  'express routes: texts of ours are in the language of the server, the carrier’s own are not',
  async (t) => {
    const quoter = await licensed('getpackage');
    const elsewhere = await licensed('getpackage');
    await stack.db.run("UPDATE license_settings SET collect_city = 'Eilat' WHERE license_id = ?", [
      elsewhere.id,
    ]);
    const lionwheel = await licensed('lionwheel');
    const ask = (action: string, key: string, parameters: Parameters) => get(action, key, parameters, hebrew);

    const answers = [
      await ask('same_day_delivery_quote', elsewhere.key, QUOTE),
      await ask('same_day_delivery_quote', quoter.key, { ...QUOTE, city: 'x' }),
      await ask('create_shipping_promise', quoter.key, TO),
    ];
    const invalid = await ask('get_express_delivery_enabled', lionwheel.key, {});
    const carriers = await ask('get_express_delivery_enabled', lionwheel.key, { ...TO, city: 'nowhere' });

    for (const { status, body } of answers) {
      t.deepEqual([status, body.success, body.warning], [400, false, '']);
      t.regex(body.message, HEBREW);
    }
    t.is(invalid.status, 422);
    t.deepEqual(Object.keys(invalid.body.errors), ['city', 'street']);
    t.regex(invalid.body.message, HEBREW);
    t.is(carriers.body.message, "Couldn't find the address");
  },
);

test.serial(
  'create_shipping_promise: books nothing, and a later order does not use its promise',
  async (t) => {
    await stack.startWorkers();
    const proxy = await startRecordingProxy(sandboxUrl('wolt_drive'));
    t.teardown(() => proxy.close());
    const { key } = await licensed('wolt_drive', proxy.url);
    const ledger = async () => (await stack.sandboxes.get('wolt_drive')?.ledger())?.length;

    const promised = await get('create_shipping_promise', key, { ...TO, street_number: '12' });
    const before = await ledger();
    const opened = await send(`${url}/api/shipping/open_new_order`, 'POST', {
      headers: JSON_HEADERS,
      json: {
        license_key: key,
        domain: 'shop.test',
        ship_data: { ...TO, number: '12', contact_name: 'Dana', contact_phone: '0501234567' },
        order: { id: 'after-a-promise' },
      },
    });

    t.deepEqual([promised.status, before], [200, 0]);
    t.is(opened.status, 200, opened.text);
    t.is(await ledger(), 1);
    const booked = proxy.requests.find(({ path }) => path.endsWith('/deliveries'));
    t.is(typeof booked?.json.shipment_promise_id, 'string');
    t.not(booked?.json.shipment_promise_id, promised.body.data.id);
  },
);
