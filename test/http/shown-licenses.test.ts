import test from 'ava';
import { startHttp } from '../support/http.js';
import { sendV1 } from '../support/v1.js';

const http = await startHttp();
test.after.always(() => http.close());

test('a secret that is stored among the plain settings is not shown, by either API', async (t) => {
  const { account, license } = await http.own();
  const settings = JSON.stringify({ customer_code: '1234', token: 'plain-secret' });
  await http.db.run('UPDATE license_settings SET settings = ? WHERE license_id = ?', [settings, license.id]);

  const answers = [
    await http.send('GET', '/licenses', { as: account }),
    await http.send('GET', '/account', { as: account }),
    await sendV1(http, 'GET', `/shipping/user-by-license?license_key=${license.key}&domain=shop.test`),
  ];

  for (const { status, text } of answers) {
    t.is(status, 200, text);
    t.regex(text, /customer_code/);
    t.false(text.includes('plain-secret'), text);
  }
});
