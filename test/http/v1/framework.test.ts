import { randomInt } from 'node:crypto';
import test from 'ava';
import { pino } from 'pino';
import { openDatabase } from '../../../src/db/database.js';
import { unavailable } from '../../../src/domain/errors.js';
import { startServer } from '../../../src/http/server.js';
import { createWeb } from '../../../src/http/web.js';
import { issueToken } from '../../../src/services/accounts/access-tokens.js';
import { earlyInTheMinute } from '../../support/conditions.js';
import { startHttp } from '../../support/http.js';
import { sendRawGet } from '../../support/raw-get.js';
import { insertRow } from '../../support/rows.js';
import { insertUser, query, recipientToken, sendV1, userToken } from '../../support/v1.js';

const ROUTE = '/shipping/user-by-license';

const stack = await startHttp();
const { account, license } = await stack.own();
test.after.always(() => stack.close());

const ask = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  sendV1(stack, 'GET', `${ROUTE}${query(parameters)}`, { headers });

test('an unknown route answers 404 in the framework’s shape, and one below /api/v2 in that of v2', async (t) => {
  const unknown = await sendV1(stack, 'GET', '/shipping/nowhere?a=1');
  const root = await sendV1(stack, 'POST', '', { json: {} });
  const v2 = await sendV1(stack, 'GET', '/v2/nowhere');

  t.deepEqual(
    [unknown.status, unknown.body],
    [404, { message: 'The route api/shipping/nowhere could not be found.' }],
  );
  t.is(root.status, 404);
  t.deepEqual([v2.status, v2.body.error.code], [404, 'not_found']);
});

test('a path that cannot be decoded answers 404', async (t) => {
  const { status, body } = await sendV1(stack, 'GET', '/shipping/%E0%A4%A');

  t.is(status, 404);
  t.deepEqual(Object.keys(body), ['message']);
});

test('another method answers 405 with Allow', async (t) => {
  const get = await sendV1(stack, 'POST', '/license/check_license', { json: {} });
  const post = await sendV1(stack, 'DELETE', '/create_app_user');

  t.deepEqual([get.status, get.headers.get('allow')], [405, 'GET, HEAD']);
  t.deepEqual(get.body, {
    message:
      'The POST method is not supported for route api/license/check_license. Supported methods: GET, HEAD.',
  });
  t.deepEqual([post.status, post.headers.get('allow')], [405, 'POST']);
});

test('HEAD answers as GET, without a body', async (t) => {
  const { status, text } = await sendV1(stack, 'HEAD', `/license/check_license?license_key=x&domain=y`);

  t.deepEqual([status, text], [200, '']);
});

test('a body over 1 MiB answers 413', async (t) => {
  const { status, body } = await sendV1(stack, 'POST', '/create_app_user', {
    raw: 'x'.repeat(1024 * 1024 + 1),
  });

  t.is(status, 413);
  t.deepEqual(body, { message: 'The request body is too large.' });
});

for (const accept of ['*/*', 'text/html', '']) {
  test(`a validation failure with Accept "${accept}" is a redirect to the Referer, or to /`, async (t) => {
    const back = await sendRawGet(`${stack.url}/api${ROUTE}`, {
      accept,
      referer: 'https://shop.example/checkout?step=2',
    });
    const home = await sendRawGet(`${stack.url}/api${ROUTE}`, { accept });
    const odd = await sendRawGet(`${stack.url}/api${ROUTE}`, { accept, referer: 'javascript:alert(1)' });

    t.deepEqual(
      [back, home, odd].map(({ status, headers, text }) => [status, headers.location, text]),
      [
        [302, 'https://shop.example/checkout?step=2', ''],
        [302, '/', ''],
        [302, '/', ''],
      ],
    );
  });
}

test('other failures than validation are JSON whatever Accept says', async (t) => {
  const { status, text } = await sendRawGet(
    `${stack.url}/api${ROUTE}${query({ license_key: 'nobody', domain: 'x' })}`,
    { accept: 'text/html' },
  );

  t.is(status, 403);
  t.false(JSON.parse(text).success);
});

test('license check: missing or wrong credentials are 422 in the framework’s shape, all at once', async (t) => {
  const none = await ask({});
  const blank = await ask({ license_key: '   ', domain: '' });
  const list = await sendV1(stack, 'GET', `${ROUTE}?license_key[]=a&domain[x]=b&token[]=c`);

  for (const { status, body } of [none, blank]) {
    t.is(status, 422);
    t.deepEqual(body, {
      message: 'The license key field is required. (and 1 more error)',
      errors: {
        license_key: ['The license key field is required.'],
        domain: ['The domain field is required.'],
      },
    });
  }
  t.is(list.status, 422);
  t.deepEqual(list.body, {
    message: 'The license key field must be a string. (and 2 more errors)',
    errors: {
      license_key: ['The license key field must be a string.'],
      domain: ['The domain field must be a string.'],
      token: ['The token field must be a string.'],
    },
  });
});

test('license check: an unknown, inactive or expired license is 403 in the envelope', async (t) => {
  const inactive = await stack.license(account.id, { isActive: false });
  const expired = await stack.license(account.id, { expiresAt: '2020-01-01T00:00:00.000000Z' });

  for (const key of ['nobody', inactive.key, expired.key, `${license.key}\u00a0x`]) {
    const { status, body } = await ask({ license_key: key, domain: 'shop.test' });
    t.is(status, 403);
    t.deepEqual(body, { data: [], message: 'Invalid License Key', success: false, warning: '' });
  }
});

test('license check: the domain is any text, and is not compared', async (t) => {
  const bound = await stack.license(account.id, { domain: 'bound.test' });

  const { status } = await ask({ license_key: bound.key, domain: 'x'.repeat(3000) });

  t.is(status, 200);
});

test('license check: a premium company needs a token whose user is premium-active', async (t) => {
  const premium = await stack.license(account.id);
  await stack.db.run(
    'UPDATE companies SET is_premium = TRUE WHERE id = (SELECT company_id FROM licenses WHERE id = ?)',
    [premium.id],
  );
  const tokens = [
    '',
    (await recipientToken(stack)).token,
    await userToken(stack, account.id),
    await userToken(stack, account.id, { is_premium: true }),
  ];

  const answers = await Promise.all(
    tokens.map((token) => ask({ license_key: premium.key, domain: 'x', token })),
  );

  const unsupported = 'Premium companies are not supported in this version of plugin';
  t.deepEqual(
    answers.map(({ status, body }) => [status, body.message]),
    [
      [403, unsupported],
      [403, unsupported],
      [403, 'You must be a premium member to use this company'],
      [200, undefined],
    ],
  );
});

test('GET: parameters come from the query and from a JSON body, which wins; forms and broken JSON count as nothing', async (t) => {
  const right = JSON.stringify({ license_key: license.key, domain: 'x' });
  const send = (search: string, type: string, raw: string | Buffer) =>
    sendRawGet(
      `${stack.url}/api${ROUTE}${search}`,
      { accept: 'application/json', 'content-type': type },
      raw,
    );

  const statuses = {
    json: (await send('', 'application/json; charset=utf-8', right)).status,
    suffix: (await send('', 'application/vnd.api+json', right)).status,
    bodyWins: (await send('?license_key=nobody&domain=y', 'application/json', right)).status,
    both: (await send(`?license_key=${license.key}`, 'application/json', '{"domain":"x"}')).status,
    form: (await send('', 'application/x-www-form-urlencoded', `license_key=${license.key}&domain=x`)).status,
    text: (await send('', 'text/plain', right)).status,
    broken: (await send('', 'application/json', `${right}}`)).status,
    notUtf8: (await send('', 'application/json', Buffer.from(right.replace('"x"', '"\xff"'), 'latin1')))
      .status,
    halfPair: (await send('', 'application/json', right.replace('"x"', '"\\ud800"'))).status,
    list: (await send('', 'application/json', `[${right}]`)).status,
    deep: (
      await send('', 'application/json', right.replace('"x"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`))
    ).status,
  };

  t.deepEqual(statuses, {
    json: 200,
    suffix: 200,
    bodyWins: 200,
    both: 200,
    form: 422,
    text: 422,
    broken: 422,
    notUtf8: 422,
    halfPair: 422,
    list: 422,
    deep: 422,
  });
});

test('unknown parameters, a prototype among them, are ignored', async (t) => {
  const { status } = await sendV1(
    stack,
    'GET',
    `${ROUTE}${query({ license_key: license.key, domain: 'x' })}&__proto__[a]=1&constructor[prototype]=2&toString=3`,
  );

  t.is(status, 200);
});

test('requests are counted by address, or by the owner of a valid token, and refused with 429', async (t) => {
  const limited = await startHttp({ config: { v1RateLimitPerMinute: 3 } });
  t.teardown(() => limited.close());
  const merchant = await limited.account();
  const { key } = await limited.license(merchant.id);
  const token = await userToken(limited, merchant.id);
  const ask = (parameters: Record<string, string> = {}) =>
    sendV1(
      limited,
      'GET',
      `/license/check_license${query({ license_key: key, domain: 'x', ...parameters })}`,
    );
  await earlyInTheMinute();

  const allowed = [await ask(), await ask({ token: 'none' }), await ask()];
  const refused = [await ask(), await ask({ token: `1|${'a'.repeat(40)}` })];
  const ofUser = [await ask({ token }), await ask({ token })];

  t.deepEqual(
    allowed.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')]),
    [
      [200, '2'],
      [200, '1'],
      [200, '0'],
    ],
  );
  for (const { status, body, headers } of refused) {
    t.deepEqual([status, body], [429, { message: 'Too Many Attempts.' }]);
    t.deepEqual([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], ['3', '0']);
    t.true(Number(headers.get('retry-after')) >= 1);
    t.true(Number(headers.get('x-ratelimit-reset')) > Date.now() / 1000);
  }
  t.deepEqual(
    ofUser.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')]),
    [
      [200, '2'],
      [200, '1'],
    ],
  );
});

test('tokens of one user count together, of two users apart, in a body as in a query; 500 a minute by default', async (t) => {
  const merchant = await stack.account();
  const { key } = await stack.license(merchant.id);
  const userId = await insertUser(stack, merchant.id);
  const [first, second] = [
    await issueToken(stack.db, { userId, name: 'one' }),
    await issueToken(stack.db, { userId, name: 'two' }),
  ];
  const other = await userToken(stack, merchant.id);
  const parameters = { license_key: key, domain: 'x' };
  await earlyInTheMinute();

  const answers = [
    await ask({ ...parameters, token: first }),
    await ask({ ...parameters, token: second }),
    await sendV1(stack, 'POST', '/shipping/order', { json: { ...parameters, token: first, orders: ['1'] } }),
    await ask({ ...parameters, token: other }),
  ];

  t.deepEqual(
    answers.map(({ status, headers }) => [
      status,
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
    ]),
    [
      [200, '500', '499'],
      [200, '500', '498'],
      [200, '500', '497'],
      [200, '500', '499'],
    ],
  );
});

test('an unexpected failure is 500 without detail, an outage 503 with Retry-After', async (t) => {
  let thrown: Error = new Error('secret detail');
  const broken = await startHttp({
    app: () => ({
      wake() {
        throw thrown;
      },
    }),
  });
  t.teardown(() => broken.close());
  const { key } = await broken.license((await broken.account()).id);
  const path = `/license/activate_license${query({ license_key: key, domain: 'y' })}`;

  const bug = await sendV1(broken, 'GET', path);
  thrown = unavailable('secret detail');
  const outage = await sendV1(broken, 'GET', path);

  t.deepEqual([bug.status, bug.body], [500, { message: 'Server Error' }]);
  t.deepEqual([outage.status, outage.body], [503, { message: 'Service Unavailable' }]);
  t.true(Number(outage.headers.get('retry-after')) > 0);
});

test('without MySQL every guard answers 503', async (t) => {
  const gone = openDatabase({ url: 'mysql://root@127.0.0.1:1/none', poolSize: 1 });
  const app = createWeb({
    ...stack.app,
    db: gone,
    log: pino({ level: 'silent' }),
    readiness: async () => ({ mysql: false, temporal: true }),
  });
  const server = await startServer(app, stack.config);
  t.teardown(async () => {
    await server.close();
    await gone.close();
  });
  const search = query({ license_key: 'x', domain: 'y' });
  const headers = { authorization: `Bearer 1|${'a'.repeat(40)}` };

  const answers = await Promise.all(
    [`/license/check_license${search}`, `${ROUTE}${search}`, '/get_app_user', '/shipping/phone_number'].map(
      (path) => fetch(`${server.url}/api${path}`, { headers }),
    ),
  );

  for (const answer of answers) {
    t.is(answer.status, 503);
    t.truthy(answer.headers.get('retry-after'));
    t.deepEqual(await answer.json(), { message: 'Service Unavailable' });
  }
});

test('APP_LOCALE chooses the language; statuses, fields and Accept-Language do not change it', async (t) => {
  const hebrew = await startHttp({ config: { locale: 'he' } });
  t.teardown(() => hebrew.close());
  const headers = { 'accept-language': 'en' };

  const invalid = await sendV1(hebrew, 'GET', ROUTE, { headers });
  const refused = await sendV1(hebrew, 'GET', `${ROUTE}${query({ license_key: 'x', domain: 'y' })}`, {
    headers,
  });

  t.is(invalid.status, 422);
  t.deepEqual(Object.keys(invalid.body.errors), ['license_key', 'domain']);
  t.regex(invalid.body.message, /[\u05d0-\u05ea]/);
  t.deepEqual([refused.status, refused.body.data, refused.body.success], [403, [], false]);
  t.regex(refused.body.message, /[\u05d0-\u05ea]/);
});

test('personal access tokens: other secrets and ids do not pass; use is noted at most once a minute', async (t) => {
  const token = await userToken(stack, account.id, { is_premium: true });
  const [id = '', secret = ''] = token.split('|');
  t.regex(token, /^\d+\|[A-Za-z0-9]{40}$/);
  const premium = await stack.license(account.id);
  await stack.db.run(
    'UPDATE companies SET is_premium = TRUE WHERE id = (SELECT company_id FROM licenses WHERE id = ?)',
    [premium.id],
  );
  const lastUse = async () => {
    const [row] = await stack.db.select(
      'SELECT last_used_at, token_hash FROM personal_access_tokens WHERE id = ?',
      [Number(id)],
    );
    return row;
  };
  const status = async (sent: string) =>
    (await ask({ license_key: premium.key, domain: 'x', token: sent })).status;

  const before = await lastUse();
  const passed = [await status(token), await status(` ${token} `)];
  const first = await lastUse();
  await status(token);
  const second = await lastUse();
  const refused = await Promise.all(
    [
      secret,
      `${id}|${secret.slice(1)}a`,
      `${Number(id) + randomInt(1000, 9999)}|${secret}`,
      `${id}|`,
      `|${secret}`,
    ].map(status),
  );

  t.is(before?.last_used_at, null);
  t.deepEqual(passed, [200, 200]);
  t.truthy(first?.last_used_at);
  t.is(second?.last_used_at, first?.last_used_at);
  t.deepEqual(refused, [403, 403, 403, 403, 403]);
  t.false(String(first?.token_hash).includes(secret));
});

test('user-by-license: the full rows, without password, remember token, hash or carrier secrets', async (t) => {
  const owner = await stack.account();
  const own = await stack.license(owner.id, { domain: 'own.test', blockedStatuses: ['draft'] });
  const other = await stack.license(owner.id);
  const site = (domain: string, columns: Record<string, string | number | null>) =>
    insertRow(stack.db, 'store_sites', { account_id: owner.id, platform: 'shopify', domain, ...columns });
  await site('own.myshopify.test', { license_id: own.id, callback_url: 'https://own.test/hook' });
  await site('all.myshopify.test', { license_id: null });
  await site('other.myshopify.test', { license_id: other.id });
  await site('woo.test', { license_id: own.id, platform: 'woocommerce' });

  const { status, body, text } = await ask({ license_key: own.key, domain: 'x' });

  t.is(status, 200);
  t.deepEqual(Object.keys(body), ['license', 'user', 'shopify_sites']);
  t.deepEqual([body.license.id, body.license.key, body.license.domain], [own.id, own.key, 'own.test']);
  t.deepEqual(body.license.blocked_statuses, ['draft']);
  t.is(body.license.settings[0].provider_id, own.carrierId);
  t.is(body.user.id, owner.id);
  t.is(body.user.client_id, owner.headers['x-client-id']);
  t.is(body.user.client_secret_last4, owner.headers['x-client-secret']?.slice(-4));
  t.deepEqual(
    body.shopify_sites.map((one: { domain: string }) => one.domain),
    ['own.myshopify.test', 'all.myshopify.test'],
  );
  t.notRegex(text, /password|remember_token|secret_hash|sealed/);
  t.false(text.includes(owner.headers['x-client-secret'] ?? '-'));
});
