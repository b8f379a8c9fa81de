import { randomInt } from 'node:crypto';
import test from 'ava';
import { startHttp } from '../../support/http.js';
import { sendRawGet } from '../../support/raw-get.js';
import { query, recipientToken, sendV1, setAppSecret, userToken } from '../../support/v1.js';

const SECRET = 'the-app-secret';
const withSecret = { 'x-app-secret': SECRET };
const LONG = 'x'.repeat(256);

const stack = await startHttp();
await setAppSecret(stack, SECRET);
test.after.always(() => stack.close());

const newPhone = () => `05${randomInt(1e7, 1e8)}`;
const signIn = (parameters: Record<string, string>, headers: Record<string, string> = withSecret) =>
  sendV1(stack, 'GET', `/get_app_user${query(parameters)}`, { headers });
const register = (json: unknown, headers: Record<string, string> = withSecret) =>
  sendV1(stack, 'POST', '/create_app_user', { json, headers });
const INVALID_SECRET = { errors: [], message: 'Invalid Secret Key', success: false };

test('create_app_user: registers a recipient and signs them in', async (t) => {
  const phone = newPhone();

  const { status, body } = await register({ name: ' Dana Levi ', phone_number: phone, device_name: 'Pixel' });

  t.is(status, 200);
  const { data, ...rest } = body;
  t.deepEqual(rest, { message: '', success: true, warning: '' });
  t.deepEqual(Object.keys(data), ['id', 'name', 'phone', 'created_at', 'updated_at', 'token']);
  t.deepEqual([data.name, data.phone], ['Dana Levi', phone]);
  t.false(Number.isNaN(Date.parse(data.created_at)));
  t.regex(data.token, /^\d+\|[A-Za-z0-9]{40}$/);
  const [row] = await stack.db.select('SELECT name, recipient_id FROM personal_access_tokens WHERE id = ?', [
    Number(data.token.split('|')[0]),
  ]);
  t.deepEqual({ ...row }, { name: 'Pixel', recipient_id: data.id });
});

test('create_app_user: fields that are missing, too long or of another type are 422 with their names', async (t) => {
  const none = await register({});
  const long = await register({ name: LONG, phone_number: LONG, device_name: LONG });
  const odd = await register({ name: ['a'], phone_number: 501234567, device_name: { a: 1 } });

  t.is(none.status, 422);
  t.deepEqual(none.body, {
    errors: {
      name: ['The name field is required.'],
      phone_number: ['The phone number field is required.'],
      device_name: ['The device name field is required.'],
    },
    message: 'The name field is required.',
    success: false,
  });
  for (const { status, body } of [long, odd]) {
    t.is(status, 422);
    t.deepEqual(Object.keys(body.errors), ['name', 'phone_number', 'device_name']);
    t.is(body.success, false);
  }
});

test('create_app_user: 255 characters are taken', async (t) => {
  const { status } = await register({
    name: 'n'.repeat(255),
    phone_number: `${newPhone()}${'1'.repeat(245)}`,
    device_name: 'ד'.repeat(255),
  });

  t.is(status, 200);
});

test('create_app_user: a registered phone is 422, and of many at once exactly one registers', async (t) => {
  const phone = newPhone();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => register({ name: `N${n}`, phone_number: phone, device_name: 'd' })),
  );

  const statuses = answers.map(({ status }) => status).sort();
  t.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 422)]);
  const refused = answers.find(({ status }) => status === 422);
  t.deepEqual(refused?.body, {
    errors: { phone_number: ['The phone number has already been taken.'] },
    message: 'The phone number has already been taken.',
    success: false,
  });
  const [row] = await stack.db.select('SELECT COUNT(*) AS n FROM recipients WHERE phone = ?', [phone]);
  t.is(row?.n, 1);
});

test('get_app_user: a new token on every call, and earlier ones stay valid', async (t) => {
  const phone = newPhone();
  const registered = await register({ name: 'Dana', phone_number: phone, device_name: 'first' });

  const second = await signIn({ phone_number: phone, device_name: 'second' });

  t.is(second.status, 200);
  t.deepEqual({ ...second.body.data, token: '' }, { ...registered.body.data, token: '' });
  t.not(second.body.data.token, registered.body.data.token);
  for (const { body } of [registered, second]) {
    const listed = await sendV1(stack, 'GET', '/shipping/phone_number', {
      headers: { ...withSecret, authorization: `Bearer ${body.data.token}` },
    });
    t.is(listed.status, 200);
  }
});

test('get_app_user: missing or too long parameters are 422, an unknown phone 500', async (t) => {
  const phone = newPhone();
  await register({ name: 'Dana', phone_number: phone, device_name: 'd' });

  const none = await signIn({});
  const long = await signIn({ phone_number: phone, device_name: LONG });
  const unknown = await signIn({ phone_number: newPhone(), device_name: 'd' });
  const otherSpelling = await signIn({ phone_number: `+972${phone.slice(1)}`, device_name: 'd' });

  t.deepEqual([none.status, Object.keys(none.body.errors)], [422, ['phone_number', 'device_name']]);
  t.is(none.body.message, 'The phone number field is required.');
  t.deepEqual(
    [long.status, long.body.errors],
    [422, { device_name: ['The device name field must not be greater than 255 characters.'] }],
  );
  for (const { status, body } of [unknown, otherSpelling]) {
    t.deepEqual([status, body], [500, { errors: [], message: 'User not found', success: false }]);
  }
});

test('the app’s failures are JSON whatever Accept says', async (t) => {
  const { status, text } = await sendRawGet(`${stack.url}/api/get_app_user`, {
    ...withSecret,
    accept: '*/*',
  });

  t.is(status, 422);
  t.is(JSON.parse(text).success, false);
});

test('without the right secret the app’s routes answer 500, before validation', async (t) => {
  for (const headers of [
    {},
    { 'x-app-secret': '' },
    { 'x-app-secret': 'wrong' },
    { 'x-app-secret': `${SECRET} x` },
  ]) {
    const answers = [await signIn({}, headers), await register({}, headers)];
    for (const { status, body } of answers) t.deepEqual([status, body], [500, INVALID_SECRET]);
  }
});

test('where no secret is set nothing passes', async (t) => {
  const bare = await startHttp();
  t.teardown(() => bare.close());

  for (const secret of ['', 'x', SECRET]) {
    const { status, body } = await sendV1(bare, 'GET', '/get_app_user', {
      headers: { 'x-app-secret': secret },
    });
    t.deepEqual([status, body], [500, INVALID_SECRET]);
  }
});

test('phone_number: authentication first, then the secret, then validation', async (t) => {
  const { bearer } = await recipientToken(stack);
  const account = await stack.account();
  const merchant = { authorization: `Bearer ${await userToken(stack, account.id)}` };
  const ask = (headers: Record<string, string>) =>
    sendV1(stack, 'GET', '/shipping/phone_number?per_page=many', { headers });

  const neither = await ask({});
  const wrongAlone = await ask({ 'x-app-secret': 'wrong' });
  const noToken = await ask(withSecret);
  const wrongToken = await ask({ ...withSecret, authorization: `Bearer 1|${'a'.repeat(40)}` });
  const ofUser = await ask({ ...withSecret, ...merchant });
  const basic = await ask({ ...withSecret, authorization: 'Basic abc' });
  const wrongSecret = await ask({ 'x-app-secret': 'wrong', ...bearer });
  const invalid = await ask({ ...withSecret, ...bearer });

  for (const { status, body } of [neither, wrongAlone, noToken, wrongToken, ofUser, basic]) {
    t.deepEqual([status, body], [401, { message: 'Unauthenticated.' }]);
  }
  t.deepEqual([wrongSecret.status, wrongSecret.body], [500, INVALID_SECRET]);
  t.deepEqual([invalid.status, Object.keys(invalid.body.errors)], [422, ['per_page']]);
  t.is(invalid.body.success, false);
});
