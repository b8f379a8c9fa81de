import test from 'ava';
import { eventually } from '../../support/conditions.js';
import { startHttp } from '../../support/http.js';
import { insertRow } from '../../support/rows.js';
import { query, recipientToken, sendForm, sendV1, userToken } from '../../support/v1.js';

const stack = await startHttp();
const account = await stack.account();
test.after.always(() => stack.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('licenses: those of the user that can be used, by the token as the bearer or as a field', async (t) => {
  const owner = await stack.account();
  const [one, two] = [await stack.license(owner.id), await stack.license(owner.id, { name: '' })];
  await stack.license(owner.id, { isActive: false });
  await stack.license(owner.id, { expiresAt: '2020-01-01T00:00:00.000000Z' });
  await stack.license(account.id);
  const carrierId = await insertRow(stack.db, 'carriers', { provider: 'getpackage', name: 'GetPackage' });
  await stack.db.run(
    'UPDATE companies SET carrier_id = ? WHERE id = (SELECT company_id FROM licenses WHERE id = ?)',
    [carrierId, two.id],
  );
  const token = await userToken(stack, owner.id);

  const answers = [
    await sendV1(stack, 'POST', '/licenses', { headers: bearer(token) }),
    await sendV1(stack, 'POST', '/licenses', { json: { token } }),
    await sendForm(stack, '/licenses', { license_key: 'nobody', domain: 'x', token }),
    await sendForm(stack, '/licenses', ''),
  ];

  const expected = {
    data: [
      { key: one.key, name: 'Main', company: 'Run Haifa', provider: { name: 'Run' } },
      { key: two.key, name: '', company: 'Run Haifa', provider: { name: 'GetPackage' } },
    ],
    message: '',
    success: true,
    warning: '',
  };
  t.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [200, expected],
      [200, expected],
      [200, expected],
      [401, { message: 'Unauthenticated.' }],
    ],
  );
});

test('licenses: without a token of a user 401', async (t) => {
  const { token, bearer: ofRecipient } = await recipientToken(stack);
  const good = await userToken(stack, account.id);

  const answers = [
    await sendV1(stack, 'POST', '/licenses'),
    await sendV1(stack, 'POST', '/licenses', { json: { token: '0' } }),
    await sendV1(stack, 'POST', '/licenses', { json: { token } }),
    await sendV1(stack, 'POST', '/licenses', { headers: ofRecipient }),
    await sendV1(stack, 'POST', '/licenses', { headers: bearer(`${good}x`) }),
    await sendV1(stack, 'POST', '/licenses', { headers: { ...account.headers } }),
  ];

  for (const { status, body } of answers) t.deepEqual([status, body], [401, { message: 'Unauthenticated.' }]);
});

test('neither the key nor the token of a query or a Referer is logged', async (t) => {
  const { key } = await stack.license(account.id);
  const token = await userToken(stack, account.id);
  const path = `/license/check_license${query({ license_key: key, domain: 'x', token })}`;
  const referer = `${stack.url}/api${path}`;

  const good = await sendV1(stack, 'GET', path, { headers: { referer } });
  const redirected = await sendV1(stack, 'GET', `/shipping/user-by-license?token=${token}`, {
    headers: { referer, accept: '*/*' },
  });
  const lines = () =>
    stack.log.filter((line) => line.includes('check_license') || line.includes('user-by-license'));
  await eventually(() => lines().length >= 2, 'the log lines');

  t.true(good.status === 200 && redirected.status !== 500);
  const [, secret = '-'] = token.split('|');
  for (const line of stack.log) t.false(line.includes(key) || line.includes(secret), line);
});
