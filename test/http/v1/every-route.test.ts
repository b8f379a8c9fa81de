import test from 'ava';
import type { TSchema } from 'typebox';
import type { V1Route } from '../../../src/api/v1/route.js';
import { v1Routes } from '../../../src/api/v1/routes.js';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../../support/http.js';
import type { HttpAnswer } from '../../support/http-send.js';
import { sendRawGet } from '../../support/raw-get.js';
import { query, sendV1, setAppSecret, userToken } from '../../support/v1.js';

const HEBREW = /[\u05d0-\u05ea]/;
const SECRET = 'the-app-secret';

let stack: HttpStack;
let hebrew: HttpStack;
let account: HttpAccount;
let license: HttpLicense;

test.before(async () => {
  [stack, hebrew] = await Promise.all([startHttp(), startHttp({ config: { locale: 'he' } })]);
  account = await stack.account();
  license = await stack.license(account.id);
});
test.after.always(() => Promise.all([stack?.close(), hebrew?.close()]));

const licensedRoutes = v1Routes.filter(({ guard }) => guard === 'license');
const pathOf = ({ path }: V1Route) => path.replace('{shipment}', 'T-1');

/** The parameters of a route where it takes them. */
function ask(
  to: HttpStack,
  route: V1Route,
  parameters: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return route.method === 'get'
    ? sendV1(to, 'GET', pathOf(route) + query(parameters), { headers })
    : sendV1(to, 'POST', pathOf(route), { json: parameters, headers });
}

for (const route of licensedRoutes) {
  const name = route.path;

  test(`${name}: a premium company is refused with its two messages`, async (t) => {
    const premium = await stack.license(account.id);
    await stack.db.run(
      'UPDATE companies SET is_premium = TRUE WHERE id = (SELECT company_id FROM licenses WHERE id = ?)',
      [premium.id],
    );
    const credentials = { license_key: premium.key, domain: 'shop.test' };
    const member = await userToken(stack, account.id, { is_premium: true });
    const plain = await userToken(stack, account.id);

    const nobody = await ask(stack, route, credentials);
    const user = await ask(stack, route, { ...credentials, token: plain });
    const passed = await ask(stack, route, { ...credentials, token: member });

    const refusal = (message: string) => ({ data: [], message, success: false, warning: '' });
    t.deepEqual(
      [nobody.status, nobody.body],
      [403, refusal('Premium companies are not supported in this version of plugin')],
    );
    t.deepEqual([user.status, user.body], [403, refusal('You must be a premium member to use this company')]);
    t.not(passed.status, 403);
  });

  test(`${name}: without license_key or domain 422 in the framework's shape, whatever the headers say`, async (t) => {
    const answers = [
      await ask(stack, route, {}, account.headers),
      await ask(stack, route, { license_key: license.key }, account.headers),
      await ask(stack, route, { domain: 'shop.test' }, account.headers),
    ];

    t.deepEqual(
      answers.map(({ status, body }) => [status, Object.keys(body), Object.keys(body.errors)]),
      [
        [422, ['message', 'errors'], ['license_key', 'domain']],
        [422, ['message', 'errors'], ['domain']],
        [422, ['message', 'errors'], ['license_key']],
      ],
    );
  });

  test(`${name}: a form counts as JSON does in a POST, and as nothing in a GET`, async (t) => {
    const form = query({ license_key: 'nobody', domain: 'shop.test' }).slice(1);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

    const status =
      route.method === 'get'
        ? (await sendRawGet(`${stack.url}/api${pathOf(route)}`, headers, form)).status
        : (await sendV1(stack, 'POST', pathOf(route), { raw: form, headers })).status;

    t.is(status, route.method === 'get' ? 422 : 403);
  });

  test(`${name}: in Hebrew where the server speaks it, with the same statuses and fields`, async (t) => {
    const invalid = await ask(hebrew, route, {});
    const refused = await ask(hebrew, route, { license_key: 'nobody', domain: 'shop.test' });

    t.deepEqual([invalid.status, Object.keys(invalid.body.errors)], [422, ['license_key', 'domain']]);
    t.regex(invalid.body.message, HEBREW);
    t.deepEqual(
      [refused.status, { ...refused.body, message: '' }],
      [403, { data: [], message: '', success: false, warning: '' }],
    );
    t.regex(refused.body.message, HEBREW);
  });
}

test('POST: a validation failure without JSON in Accept is a redirect too', async (t) => {
  const answer = await fetch(`${stack.url}/api/shipping/open_new_order`, {
    method: 'POST',
    headers: { accept: '*/*', 'content-type': 'application/json', referer: 'https://shop.example/cart' },
    body: JSON.stringify({ license_key: license.key, domain: 'shop.test' }),
    redirect: 'manual',
  });

  t.deepEqual([answer.status, answer.headers.get('location')], [302, 'https://shop.example/cart']);
});

test('shipping and label routes: refusals and successes speak Hebrew', async (t) => {
  const owner = await hebrew.account();
  const own = await hebrew.license(owner.id, { blockedStatuses: ['draft'] });
  const { orderId } = await hebrew.shipment(owner.id, own, {
    columns: { tracking_code: 'H-1', is_active: false, status_code: 'cancelled' },
  });
  await hebrew.shipment(owner.id, own, { columns: { tracking_code: 'carrier_rejected' } });
  const post = (action: string, parts: object) =>
    sendV1(hebrew, 'POST', `/shipping/${action}`, {
      json: { license_key: own.key, domain: 'shop.test', ...parts },
    });
  const ship = { contact_name: 'Dana', street: 'Herzl', city: 'Haifa' };

  const answers = {
    cancelled: await post('change_order_status', { shipping_id: 'H-1', status: 'cancel' }),
    unknown: await post('change_order_status', { shipping_id: 'nothing', status: 'cancel' }),
    noOrder: await post('order-label', { order_id: 'nothing' }),
    idle: await post('order-label', { order_id: orderId }),
    codes: await post('bulk-label', { shipping_codes: ['nothing'] }),
    blocked: await post('open_new_order', { ship_data: ship, order: { id: '1', status: 'draft' } }),
    nowhere: await post('open_new_order', { ship_data: { ...ship, type: 2 }, order: { id: '2' } }),
    express: await sendV1(
      hebrew,
      'GET',
      `/shipping/same_day_delivery_quote${query({ license_key: own.key, domain: 'x' })}`,
    ),
  };
  const bare = await post('label', { shipping_id: 'carrier_rejected' });
  const missing = await post('open_new_order', { ship_data: {}, order: { id: '3' } });

  t.deepEqual(
    Object.entries(answers).map(([name, { status, body }]) => [name, status, body.success]),
    [
      ['cancelled', 200, true],
      ['unknown', 200, false],
      ['noOrder', 404, false],
      ['idle', 404, false],
      ['codes', 404, false],
      ['blocked', 400, false],
      ['nowhere', 500, false],
      ['express', 400, false],
    ],
  );
  for (const [name, { body }] of Object.entries(answers)) t.regex(body.message, HEBREW, name);
  t.deepEqual([bare.status, Object.keys(bare.body)], [200, ['error']]);
  t.regex(bare.body.error, HEBREW);
  t.is(missing.status, 422);
  t.deepEqual(Object.keys(missing.body.errors).toSorted(), [
    'ship_data.city',
    'ship_data.contact_name',
    'ship_data.street',
  ]);
  t.regex(missing.body.message, HEBREW);
});

test('license routes and the recipient app: texts are in the language of the server, not of the caller', async (t) => {
  await setAppSecret(hebrew, SECRET);
  const headers = { 'accept-language': 'en' };
  const withSecret = { ...headers, 'x-app-secret': SECRET };

  const verdict = await sendV1(hebrew, 'GET', '/license/check_license?license_key=x&domain=y', { headers });
  const wrong = await sendV1(hebrew, 'GET', '/get_app_user', { headers });
  const invalid = await sendV1(hebrew, 'POST', '/create_app_user', { headers: withSecret, json: {} });
  const unknown = await sendV1(hebrew, 'GET', '/get_app_user?phone_number=1&device_name=d', {
    headers: withSecret,
  });
  const stranger = await sendV1(hebrew, 'GET', '/shipping/phone_number', { headers: withSecret });

  t.like(verdict.body, { success: false, error: 'missing', license: 'invalid' });
  t.deepEqual([wrong.status, invalid.status, unknown.status, stranger.status], [500, 422, 500, 401]);
  t.deepEqual(Object.keys(invalid.body), ['errors', 'message', 'success']);
  for (const { body } of [verdict, wrong, invalid, unknown, stranger]) t.regex(body.message, HEBREW);
});

test('parameters that no rule names are published as such: type and return are any value', (t) => {
  const open = v1Routes.find(({ operationId }) => operationId === 'openNewOrder');
  const input = open?.input as TSchema & {
    properties: { ship_data: { properties: Record<string, object>; required?: string[] } };
  };
  const { properties, required = [] } = input.properties.ship_data;

  t.deepEqual(required, []);
  for (const field of ['type', 'return']) t.deepEqual(Object.keys(properties[field] ?? {}), ['description']);
});
