import test from 'ava';
import { type HttpAccount, type HttpLicense, type HttpStack, startHttp } from '../../support/http.js';
import { patient } from '../../support/patience.js';
import { sendRawGet } from '../../support/raw-get.js';
import { startReceiver } from '../../support/receiver.js';
import { insertRow } from '../../support/rows.js';
import { query, recipientToken, sendV1, userToken } from '../../support/v1.js';

let stack: HttpStack;
let account: HttpAccount;
let license: HttpLicense;

test.before(async () => {
  stack = await startHttp({ config: { webhookAllowCidrs: ['127.0.0.1/32'] } });
  account = await stack.account();
  license = await stack.license(account.id);
});
test.after.always(() => stack?.close());

const check = (parameters: Record<string, string>) =>
  sendV1(stack, 'GET', `/license/check_license${query(parameters)}`);
const activate = (parameters: Record<string, string>) =>
  sendV1(stack, 'GET', `/license/activate_license${query(parameters)}`);
const columnsOf = async (id: number) => {
  const [row] = await stack.db.select('SELECT domain, started_at FROM licenses WHERE id = ?', [id]);
  return row;
};
async function premiumLicense(): Promise<HttpLicense> {
  const premium = await stack.license(account.id);
  await stack.db.run(
    'UPDATE companies SET is_premium = TRUE WHERE id = (SELECT company_id FROM licenses WHERE id = ?)',
    [premium.id],
  );
  return premium;
}

test('check_license: a valid license comes with its provider', async (t) => {
  const { status, body } = await check({ license_key: license.key, domain: 'shop.test' });

  t.is(status, 200);
  const { provider, ...rest } = body;
  t.deepEqual(rest, { success: true, error: null, license: 'valid', message: 'License key is valid' });
  t.deepEqual(
    { ...provider, created_at: typeof provider.created_at, updated_at: typeof provider.updated_at },
    {
      id: license.carrierId,
      name: 'Run',
      endpoints: { shipping: '', label: '', tracking: '' },
      created_at: 'string',
      updated_at: 'string',
    },
  );
});

test('check_license: an unknown, an inactive and another letter case of a key are refused with 200', async (t) => {
  const inactive = await stack.license(account.id, { isActive: false });

  const answers = await Promise.all([
    check({ license_key: 'nobody', domain: 'x' }),
    check({ license_key: license.key.toUpperCase(), domain: 'x' }),
    check({ license_key: inactive.key, domain: 'x' }),
  ]);

  t.deepEqual(
    answers.map(({ status, body }) => [
      status,
      body.success,
      body.error,
      body.license,
      body.message,
      body.provider,
    ]),
    [
      [200, false, 'missing', 'invalid', 'Invalid License Key', undefined],
      [200, false, 'missing', 'invalid', 'Invalid License Key', undefined],
      [200, false, 'revoked', 'invalid', 'License key has been deactivated', undefined],
    ],
  );
});

test('check_license: an expired license, and one bound to another domain, are valid', async (t) => {
  const expired = await stack.license(account.id, {
    expiresAt: '2020-01-01T00:00:00.000000Z',
    domain: 'other.test',
  });

  const { body } = await check({ license_key: expired.key, domain: 'shop.test' });

  t.true(body.success);
});

test('check_license: a premium company needs a user who is premium-active', async (t) => {
  const premium = await premiumLicense();
  const past = '2020-01-01 00:00:00.000000';
  const tokens: Record<string, string> = {
    none: '',
    wrong: '1|0000000000000000000000000000000000000000',
    recipient: (await recipientToken(stack)).token,
    plain: await userToken(stack, account.id),
    ended: await userToken(stack, account.id, { is_premium: true, premium_until: past }),
    active: await userToken(stack, account.id, { is_premium: true }),
    until: await userToken(stack, account.id, { is_premium: true, premium_until: '2099-01-01 00:00:00' }),
  };

  const found: Record<string, unknown> = {};
  for (const [name, token] of Object.entries(tokens)) {
    const { status, body } = await check({ license_key: premium.key, domain: 'x', token });
    found[name] = [status, body.error, body.message];
  }

  const unsupported = [200, 'invalid', 'Premium companies are not supported in this version of plugin'];
  const required = [200, 'invalid', 'You must be a premium member to use this company'];
  const valid = [200, null, 'License key is valid'];
  t.deepEqual(found, {
    none: unsupported,
    wrong: unsupported,
    recipient: unsupported,
    plain: required,
    ended: required,
    active: valid,
    until: valid,
  });
});

for (const route of ['check_license', 'activate_license']) {
  test(`${route}: missing parameters are 422 in the framework's shape`, async (t) => {
    const both = await sendV1(stack, 'GET', `/license/${route}`);
    const one = await sendV1(stack, 'GET', `/license/${route}?license_key=%20%20&domain=x`);

    t.is(both.status, 422);
    t.deepEqual(both.body, {
      message: 'The license key field is required. (and 1 more error)',
      errors: {
        license_key: ['The license key field is required.'],
        domain: ['The domain field is required.'],
      },
    });
    t.is(one.status, 422);
    t.deepEqual(Object.keys(one.body.errors), ['license_key']);
  });

  test(`${route}: a JSON body is read too, a form-encoded one is not`, async (t) => {
    const parameters = { license_key: 'nobody', domain: 'x' };

    const send = (type: string, raw: string) =>
      sendRawGet(
        `${stack.url}/api/license/${route}`,
        { accept: 'application/json', 'content-type': type },
        raw,
      );
    const json = await send('application/json', JSON.stringify(parameters));
    const form = await send('application/x-www-form-urlencoded', new URLSearchParams(parameters).toString());

    t.is(json.status, 200);
    t.true(json.text.includes('missing'));
    t.is(form.status, 422);
  });
}

test('activate_license: binds the domain once, and sets started_at on every call', async (t) => {
  const fresh = await stack.license(account.id);

  const first = await activate({ license_key: fresh.key, domain: 'first.test' });
  const afterFirst = await columnsOf(fresh.id);
  const second = await activate({ license_key: fresh.key, domain: 'second.test' });
  const afterSecond = await columnsOf(fresh.id);

  t.deepEqual([first.status, first.body.success, first.body.message], [200, true, 'License key is valid']);
  t.is(first.body.provider.name, 'Run');
  t.true(second.body.success);
  t.deepEqual([afterFirst?.domain, afterSecond?.domain], ['first.test', 'first.test']);
  t.true(String(afterSecond?.started_at) > String(afterFirst?.started_at));
});

test('activate_license: of many stores at once exactly one binds its domain', async (t) => {
  const fresh = await stack.license(account.id);
  const domains = Array.from({ length: 12 }, (_, n) => `shop-${n}.test`);

  await Promise.all(domains.map((domain) => activate({ license_key: fresh.key, domain })));

  const bound = String((await columnsOf(fresh.id))?.domain);
  await activate({ license_key: fresh.key, domain: 'late.test' });
  t.true(domains.includes(bound));
  t.is((await columnsOf(fresh.id))?.domain, bound);
});

test('activate_license: unknown keys are 200; activity and expiry are not checked', async (t) => {
  const dead = await stack.license(account.id, {
    isActive: false,
    expiresAt: '2020-01-01T00:00:00.000000Z',
  });

  const unknown = await activate({ license_key: 'nobody', domain: 'x' });
  const inactive = await activate({ license_key: dead.key, domain: 'x' });

  t.deepEqual(
    [unknown.status, unknown.body.success, unknown.body.error, unknown.body.message],
    [200, false, 'missing', 'Invalid License Key'],
  );
  t.true(inactive.body.success);
});

test('activate_license: tells each connected active site once, side by side, and no other', async (t) => {
  const owner = await stack.account();
  const stranger = await stack.account();
  const bound = await stack.license(owner.id);
  const sibling = await stack.license(owner.id);
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  receiver.behave({ kind: 'answer', status: 200, delayMs: 300 });
  const site = (name: string, columns: Record<string, string | number | boolean | null>) =>
    insertRow(stack.db, 'store_sites', {
      account_id: owner.id,
      platform: 'shopify',
      domain: `${name}.test`,
      callback_url: `${receiver.url}/${name}`,
      ...columns,
    });
  await site('own', { license_id: bound.id });
  await site('account', { license_id: null });
  await site('sibling', { license_id: sibling.id });
  await site('inactive', { license_id: bound.id, is_active: false });
  await site('silent', { license_id: bound.id, callback_url: null });
  await site('foreign', { account_id: stranger.id, license_id: null });
  const started = Date.now();

  const { body } = await activate({ license_key: bound.key, domain: 'shop.test' });

  const took = Date.now() - started;
  t.true(body.success);
  t.deepEqual(receiver.requests.map(({ path }) => path).sort(), ['/account', '/own']);
  const [first] = receiver.requests;
  const sent = JSON.parse(first?.body ?? '');
  t.deepEqual(Object.keys(sent).sort(), ['activated_at', 'domain', 'license_key']);
  t.deepEqual([sent.license_key, sent.domain], [bound.key, 'shop.test']);
  t.is(first?.headers['content-type'], 'application/json');
  t.true(took >= 300 && took < patient(3000), `took ${took} ms`);
});

test('activate_license: sites that fail, hang or lie at private addresses change nothing, and are logged', async (t) => {
  const owner = await stack.account();
  const bound = await stack.license(owner.id);
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  receiver.behave({ kind: 'hang' });
  const urls = [`${receiver.url}/hang`, 'http://127.0.0.1:9/refused', 'http://10.0.0.1/private', 'not a url'];
  for (const [n, url] of urls.entries())
    await insertRow(stack.db, 'store_sites', {
      account_id: owner.id,
      license_id: bound.id,
      platform: 'woocommerce',
      domain: `site-${n}.test`,
      callback_url: url,
    });
  const started = Date.now();

  const { status, body } = await activate({ license_key: bound.key, domain: 'shop.test' });

  const took = Date.now() - started;
  t.deepEqual([status, body.success], [200, true]);
  t.true(took >= 4900 && took < patient(9000), `took ${took} ms`);
  const lines = stack.log.filter((line) => line.includes('was not told of an activation'));
  t.is(lines.length, urls.length);
  t.true(lines.every((line) => !line.includes('10.0.0.1') && !line.includes(bound.key)));
});

test('check_license: an inactive license is revoked before its company is looked at', async (t) => {
  const premium = await premiumLicense();
  await stack.db.run('UPDATE licenses SET is_active = FALSE WHERE id = ?', [premium.id]);

  const { status, body } = await check({ license_key: premium.key, domain: 'x' });

  t.deepEqual([status, body.error], [200, 'revoked']);
});

test('activate_license: a premium company is not looked at either', async (t) => {
  const premium = await premiumLicense();

  const { status, body } = await activate({ license_key: premium.key, domain: 'x' });

  t.deepEqual(
    [status, body.success, body.license, body.message],
    [200, true, 'valid', 'License key is valid'],
  );
});

test.serial('activate_license: changes the license and writes nothing else', async (t) => {
  const fresh = await stack.license(account.id);
  const tables = await stack.db.select(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = DATABASE() AND table_name NOT LIKE 'rate%'`,
  );
  const counts = async () => {
    const found: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await stack.db.select(`SELECT COUNT(*) AS count FROM ${String(name)}`);
      found[String(name)] = Number(row?.count);
    }
    return found;
  };
  const before = await counts();

  await activate({ license_key: fresh.key, domain: 'bound.test' });

  t.true(tables.length > 20);
  t.deepEqual(await counts(), before);
  t.is((await columnsOf(fresh.id))?.domain, 'bound.test');
});
