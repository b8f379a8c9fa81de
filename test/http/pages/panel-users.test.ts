import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf, invite } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

async function ask(form?: Record<string, string>) {
  const cookie = await cookieOf(http, 'administrator');
  return await askPanel(`${http.url}/panel/users`, {
    ...(form === undefined ? {} : { form }),
    headers: { cookie },
  });
}

async function accountNamed(name: string): Promise<number> {
  const { id } = await http.account();
  await http.db.run('UPDATE accounts SET name = ? WHERE id = ?', [name, id]);
  return id;
}

test('GET /panel/users: the role of a new user begins with the least', async (t) => {
  const { text } = await ask();
  t.regex(text, /<select id="role" name="role"><option value="staff"/);
});

test('POST /panel/users: takes the account by its name, a word of it, a suggestion or its number', async (t) => {
  const word = randomUUID();
  const id = await accountNamed(`Blue ${word} shop`);
  for (const account of [`Blue ${word} shop`, word, `Blue ${word} shop #${id}`, String(id)]) {
    const email = `${randomUUID()}@shop.example`;

    const { status, text } = await ask({ email, name: 'Dana', role: 'staff', account });

    t.is(status, 200, text);
    const [made] = await http.db.select('SELECT account_id AS account FROM panel_users WHERE email = ?', [
      email,
    ]);
    t.is(Number(made?.account), id, account);
  }
});

test('POST /panel/users: 422 at the account when none or several have the name', async (t) => {
  const word = randomUUID();
  await accountNamed(`Blue ${word}`);
  await accountNamed(`Red ${word}`);
  for (const account of [word, randomUUID().replaceAll(/\d/g, 'x')]) {
    const email = `${randomUUID()}@shop.example`;

    const { status, text } = await ask({ email, name: 'Dana', role: 'staff', account });

    t.is(status, 422);
    t.regex(text, /id="account-error"/);
    t.deepEqual(await http.db.select('SELECT id FROM panel_users WHERE email = ?', [email]), []);
  }
});

test('POST /panel/users: takes the account that has the name, where others begin with it', async (t) => {
  const word = randomUUID();
  const id = await accountNamed(word);
  await accountNamed(`${word} two`);
  const email = `${randomUUID()}@shop.example`;

  const { status } = await ask({ email, name: 'Dana', role: 'staff', account: word.toUpperCase() });

  t.is(status, 200);
  const [made] = await http.db.select('SELECT account_id AS account FROM panel_users WHERE email = ?', [
    email,
  ]);
  t.is(Number(made?.account), id);
});

test('GET /panel/users: finds users by the beginning of the e-mail, and takes signs as they are', async (t) => {
  const cookie = await cookieOf(http, 'administrator');
  const users = [await invite(http, 'operator'), await invite(http, 'operator')] as const;
  const search = (text: string) =>
    askPanel(`${http.url}/panel/users?q=${encodeURIComponent(text)}`, { headers: { cookie } });

  const one = await search(users[0].email.slice(0, 20));
  const none = await search(`%${users[0].email.slice(1)}`);

  t.true(one.text.includes(users[0].email));
  t.false(one.text.includes(users[1].email));
  t.false(none.text.includes(users[0].email));
});
