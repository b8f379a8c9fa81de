import { randomUUID } from 'node:crypto';
import test from 'ava';
import { insertStoreSite } from '../../../src/db/queries/accounts/store-sites.js';
import { insertUser } from '../../../src/db/queries/accounts/users.js';
import type { Role } from '../../../src/domain/panel-roles.js';
import { SCREENS } from '../../../src/http/pages/panel/screens.js';
import { ar } from '../../../src/http/pages/panel/words/ar.js';
import { en } from '../../../src/http/pages/panel/words/en.js';
import { he } from '../../../src/http/pages/panel/words/he.js';
import { issueToken } from '../../../src/services/accounts/access-tokens.js';
import { changePanelUser, invitePanelUser } from '../../../src/services/panel/users.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { importDraft } from '../../support/import-drafts.js';
import { askPanel, codeOf, cookieOf, cookieWith, invite, PASSWORD, signUp } from '../../support/panel.js';
import { PATH_OBJECTS } from '../../support/path-objects.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { authFailuresPerMinute: 10_000 } });
});
test.after.always(() => http?.close());

/** An account and the parameters of paths that name what it has. */
interface Owner {
  id: number;
  named: Record<string, string>;
}

/** Two accounts, each with whatever a path can name. */
async function twoAccounts(): Promise<{ own: Owner; other: Owner }> {
  const make = async () => {
    const { account, license } = await http.own();
    const made = async (kind: string) => (await PATH_OBJECTS[kind]?.(http, account, license)) ?? {};
    const { uuid = '' } = await made('shipments');
    const { id: webhook = '', delivery = '' } = await made('webhooks');
    const { uuid: batch = '' } = await made('batches');
    const { id: template = '' } = await made('notifications');
    const credential = account.headers['x-client-id'] ?? '';
    const { db } = http;
    const user = await insertUser(db, {
      accountId: account.id,
      name: 'Dana',
      email: `${randomUUID()}@a.example`,
    });
    const token = Number.parseInt(await issueToken(db, { userId: user, name: 'plugin' }), 10);
    const domain = `${randomUUID()}.example`;
    const shop = { accountId: account.id, licenseId: null, platform: 'custom', domain, callbackUrl: null };
    const site = await insertStoreSite(db, shop);
    const ids = {
      license: String(license.id),
      credential,
      user: String(user),
      member: String((await invite(http, 'staff', account.id)).id),
      token: String(token),
      site: String(site),
      id: '0',
      company: '0',
    };
    const draft = await importDraft(http, account.id, license.id);
    const named = { uuid, batch, webhook, delivery, template, ...draft, ...ids };
    return { id: account.id, named };
  };
  return { own: await make(), other: await make() };
}

const PROFILE_AFTER_SIGN_IN = '/panel/sign-in?to=%2Fpanel%2Fprofile';

const signedUp = (role: Role = 'administrator', account?: number) => signUp(http, role, account);

function signIn(email: string, code: string, password = PASSWORD, headers: Record<string, string> = {}) {
  return askPanel(`${http.url}/panel/sign-in`, { form: { email, password, code }, headers });
}

function ask(method: 'get' | 'post', path: string, cookie: string) {
  const form = method === 'post' ? { form: { x: '1' } } : {};
  return askPanel(`${http.url}/panel${path}`, { ...form, headers: { cookie } });
}

/** A path with its parameters: the account, and what `named` has. */
function pathTo(path: string, account: number, named: Owner['named']): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = name === 'account' ? String(account) : named[name];
    if (value === undefined) throw new Error(`no value for :${name} of ${path}`);
    return value;
  });
}

test('an id of another account below the path of an account is missing, for every role', async (t) => {
  const { own, other } = await twoAccounts();
  const cookie = await cookieOf(http, 'administrator');
  for (const { method, path } of SCREENS.filter((one) => /^\/a\/:account.*:/.test(one.path))) {
    t.is((await ask(method, pathTo(path, own.id, other.named), cookie)).status, 404, `${method} ${path}`);
  }
});

test('owner and staff reach nothing of another account', async (t) => {
  const { own, other } = await twoAccounts();
  for (const role of ['owner', 'staff'] as const) {
    const cookie = await cookieOf(http, role, own.id);
    for (const { method, path } of SCREENS.filter(({ scope }) => scope === 'account')) {
      t.is((await ask(method, pathTo(path, other.id, other.named), cookie)).status, 404, path);
      if (!/:(?!account)/.test(path)) continue;
      const mixed = await ask(method, pathTo(path, own.id, other.named), cookie);
      t.is(mixed.status, 404, `${path}, an id of the other account below the own one`);
    }
  }
});

test('without a session every screen leads to the sign-in', async (t) => {
  const { own } = await twoAccounts();
  for (const { method, path } of SCREENS) {
    const { status, to } = await ask(method, pathTo(path, own.id, own.named), cookieWith('wrong'));
    if (method === 'post') t.is(status, 401, path);
    else t.regex(to ?? '', /^\/panel\/sign-in/, path);
  }
});

test('a change that another site sends is refused', async (t) => {
  const { own } = await twoAccounts();
  const cookie = await cookieOf(http, 'administrator');
  const posts = SCREENS.filter(({ method }) => method === 'post').map(({ path }) =>
    pathTo(path, own.id, own.named),
  );
  for (const path of [...posts, '/sign-in', '/sign-out']) {
    for (const sender of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
    ]) {
      const headers = { cookie, ...sender };
      const { status } = await askPanel(`${http.url}/panel${path}`, { form: { x: '1' }, headers });
      t.is(status, 403, `${path} ${JSON.stringify(sender)}`);
    }
  }
});

test('sign-in: a code of the app works once, also when it is sent twice at the same time', async (t) => {
  const { email, secret, code } = await signedUp();
  t.is((await signIn(email, code)).status, 401, 'the code of the invitation');

  const next = codeOf(secret, 1);
  const both = await Promise.all([signIn(email, next), signIn(email, next)]);

  t.deepEqual(both.map(({ to }) => to).toSorted(), ['/panel', null]);
  t.is((await signIn(email, next)).status, 401);
});

test('sign-in: a recovery code works once', async (t) => {
  const { email, codes } = await signedUp();
  t.is(codes.length, 10);
  const [first = '', second = ''] = codes;

  const both = await Promise.all([signIn(email, first), signIn(email, first)]);

  t.deepEqual(both.map(({ to }) => to).toSorted(), ['/panel', null]);
  t.is((await signIn(email, first)).status, 401);
  t.is((await signIn(email, second.toUpperCase())).to, '/panel');
});

test('sign-in: a wrong password, an unknown e-mail and a disabled user are answered alike', async (t) => {
  const { id, email, secret } = await signedUp();
  const code = codeOf(secret, 1);

  const wrong = await signIn(email, code, 'another long password');
  const unknown = await signIn(`${randomUUID()}@panel.example`, code);
  await changePanelUser({ db: http.db, actor: TEST_ACTOR }, { user: String(id), isActive: false });
  const disabled = await signIn(email, code);

  const said = ({ text }: { text: string }) => /role="alert"[^>]*>([^<]*)</.exec(text)?.[1];
  t.deepEqual([wrong, unknown, disabled].map(said), Array(3).fill(en.signIn.wrong));
});

test('sign-in: capitals in an e-mail make no other user', async (t) => {
  const { id, email, codes } = await signedUp();
  await http.db.run('UPDATE panel_users SET email = ? WHERE id = ?', [`k${email}`, id]);
  // The sign of the unit kelvin, which is a k in small letters.
  t.is((await signIn(`\u212a${email}`, codes[0] ?? '')).status, 401);
  t.is((await signIn(`K${email.toUpperCase()}`, codes[0] ?? '')).to, '/panel');
});

test('sign-in: too many tries for one e-mail are refused', async (t) => {
  const { email, secret } = await signedUp();
  const tries = await Promise.all(Array.from({ length: 30 }, () => signIn(email, '000000')));
  t.true(tries.filter(({ status }) => status === 429).length >= 10);
  t.true([429, 303].includes((await signIn(email, codeOf(secret, 1))).status));
});

test('sign-in: there is no way by a provider where none is configured', async (t) => {
  for (const path of ['provider', 'callback?code=x&state=x']) {
    t.is((await askPanel(`${http.url}/panel/sign-in/${path}`)).status, 404, path);
  }
  t.false((await askPanel(`${http.url}/panel/sign-in`)).text.includes('class="button"'));
});

test('sign-in makes a new session, whatever the browser sent before', async (t) => {
  const { email, codes, accepted } = await signedUp();
  const planted = cookieWith('x'.repeat(43));

  const fixed = await signIn(email, codes[0] ?? '', PASSWORD, { cookie: planted });
  const again = await signIn(email, codes[1] ?? '', PASSWORD, { cookie: fixed.cookie });

  t.is(new Set([planted, fixed.cookie, again.cookie, accepted.cookie]).size, 4);
  t.is((await ask('get', '/profile', planted)).to, PROFILE_AFTER_SIGN_IN);
  t.is((await ask('get', '/profile', again.cookie)).status, 200);
});

test('sign-out, another role and a disabled user end sessions', async (t) => {
  const { own } = await twoAccounts();
  const { id, codes, email, accepted } = await signedUp('owner', own.id);
  await askPanel(`${http.url}/panel/sign-out`, { form: {}, headers: { cookie: accepted.cookie } });
  t.is((await ask('get', '/profile', accepted.cookie)).to, PROFILE_AFTER_SIGN_IN);

  const second = await signIn(email, codes[0] ?? '');
  await changePanelUser({ db: http.db, actor: TEST_ACTOR }, { user: String(id), role: 'staff' });
  t.is((await ask('get', '/profile', second.cookie)).to, PROFILE_AFTER_SIGN_IN);

  const third = await signIn(email, codes[1] ?? '');
  t.is((await ask('get', '/profile', third.cookie)).status, 200);
  await changePanelUser({ db: http.db, actor: TEST_ACTOR }, { user: String(id), isActive: false });
  t.is((await ask('get', '/profile', third.cookie)).to, PROFILE_AFTER_SIGN_IN);
});

test('a disabled account closes the panel to its users', async (t) => {
  const { own } = await twoAccounts();
  const { email, codes, accepted } = await signedUp('owner', own.id);
  await http.db.run('UPDATE accounts SET disabled_at = NOW(6) WHERE id = ?', [own.id]);
  t.is((await ask('get', '/profile', accepted.cookie)).to, PROFILE_AFTER_SIGN_IN);
  t.is((await signIn(email, codes[0] ?? '')).status, 401);
});

test('the profile lists sessions and ends the others', async (t) => {
  const { email, codes, accepted } = await signedUp();
  const second = await signIn(email, codes[0] ?? '', PASSWORD, { 'user-agent': '<script>alert(1)</script>' });

  const shown = await ask('get', '/profile', accepted.cookie);
  t.true(shown.text.includes('&lt;script&gt;alert(1)'));
  const headers = { cookie: accepted.cookie };
  await askPanel(`${http.url}/panel/profile/sessions`, { form: { end: 'others' }, headers });

  t.is((await ask('get', '/profile', second.cookie)).to, PROFILE_AFTER_SIGN_IN);
  t.is((await ask('get', '/profile', accepted.cookie)).status, 200);
});

test('an invitation is accepted once, and a new one replaces password, codes and sessions', async (t) => {
  const { id, path, email, codes, accepted } = await signedUp();
  t.is((await askPanel(`${http.url}${path}`)).status, 404);

  const app = { db: http.db, actor: TEST_ACTOR, config: { appKeys: http.config.appKeys, baseUrl: '' } };
  const { invitation } = await invitePanelUser(app, { user: String(id) });
  t.is((await ask('get', '/profile', accepted.cookie)).status, 200, 'until it is accepted');
  const page = await askPanel(`${http.url}${invitation}`);
  const secret = /name="secret" value="([A-Z2-7]+)"/.exec(page.text)?.[1] ?? '';
  const short = { secret, password: 'short', code: codeOf(secret) };
  t.is((await askPanel(`${http.url}${invitation}`, { form: short })).status, 422);
  const form = { secret, password: 'quite another password', code: codeOf(secret) };
  t.is((await askPanel(`${http.url}${invitation}`, { form })).status, 200);

  t.is((await ask('get', '/profile', accepted.cookie)).to, PROFILE_AFTER_SIGN_IN);
  t.is((await signIn(email, codes[0] ?? '')).status, 401);
});

test('every text of the panel exists in each language, and differs from English', (t) => {
  const pathsOf = (words: object, path = ''): [string, string][] =>
    Object.entries(words).flatMap(([name, value]) =>
      typeof value === 'string' ? [[`${path}${name}`, value]] : pathsOf(value ?? {}, `${path}${name}.`),
    );
  const english = new Map(pathsOf(en));
  for (const words of [he, ar]) {
    for (const [path, text] of pathsOf(words)) {
      t.true(text.trim() !== '', path);
      const shared = ['none', 'accounts.isOpen'].includes(path);
      if (!shared && !/^direction$/.test(path)) t.not(text, english.get(path), path);
    }
  }
});
