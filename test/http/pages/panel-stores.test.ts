import { randomUUID } from 'node:crypto';
import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { resolveToken } from '../../../src/services/accounts/access-tokens.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { webhookAllowCidrs: ['127.0.0.0/8'] } });
});
test.after.always(() => http?.close());

/** An account with a license, and a way for an administrator to ask for pages below it. */
async function administrator() {
  const { id } = await http.account();
  const license = await http.license(id);
  const cookie = await cookieOf(http, 'administrator');
  const ask = (path: string, form?: Record<string, string>) =>
    askPanel(path.startsWith('/panel') ? http.url + path : `${http.url}/panel/a/${id}${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  return { id, license, ask };
}

test('stores: connected with keys that no page shows, changed, disconnected', async (t) => {
  const { id, license, ask } = await administrator();
  const domain = `${randomUUID()}.example`;
  const keys = { consumerKey: 'ck_canary', consumerSecret: 'cs_canary', storeUrl: 'http://127.0.0.1:8025' };

  const made = await ask('/sites', {
    platform: 'woocommerce',
    domain,
    license: String(license.id),
    callbackUrl: '',
    ...keys,
  });
  const page = (made.to ?? '').replace('?notice=saved', '');
  const form = { callbackUrl: 'http://127.0.0.1:8025/told', storeUrl: keys.storeUrl };
  await ask(page, { ...form, consumerKey: '', consumerSecret: '' });
  const shown = await ask(page);
  await ask(page, { ...form, removeRestKeys: 'on' });
  await ask(page, { active: 'false' });

  t.regex(page, /\/sites\/\d+$/);
  t.true(shown.text.includes('value="http://127.0.0.1:8025/told"'));
  t.true((await ask('/sites')).text.includes(domain));
  const entries = await listAudit(http.db, { accountId: id, action: 'store-sites' }, { limit: 10 });
  t.deepEqual(entries.map(({ action }) => action).reverse(), [
    'store-sites.create',
    ...Array(3).fill('store-sites.change'),
  ]);
  t.false((shown.text + JSON.stringify(entries)).includes('canary'));
  const [site] = await http.db.select('SELECT is_active, callback_url FROM store_sites WHERE domain = ?', [
    domain,
  ]);
  t.deepEqual([site?.is_active, site?.callback_url], [0, 'http://127.0.0.1:8025/told']);
});

test('stores: an address as a browser shows it is cut to its host', async (t) => {
  const { id, ask } = await administrator();
  const host = `${randomUUID()}.example`;

  await ask('/sites', { platform: 'custom', domain: `https://${host.toUpperCase()}/shop/?lang=he` });

  const rows = await http.db.select('SELECT domain FROM store_sites WHERE account_id = ?', [id]);
  t.deepEqual(rows, [{ domain: host }]);
});

test('stores: wrong input is refused at its field, and keeps what was typed', async (t) => {
  const { ask } = await administrator();
  const domain = `${randomUUID()}.example`;
  const right = { platform: 'custom', domain };
  const page = ((await ask('/sites', right)).to ?? '').replace('?notice=saved', '');
  const cases: [path: string, form: Record<string, string>, field: string][] = [
    ['/sites', { platform: 'custom', domain: 'Upper Case' }, 'domain'],
    ['/sites', right, 'domain'],
    ['/sites', { ...right, domain: 'a.example', callbackUrl: 'ftp://x.example' }, 'callbackUrl'],
    ['/sites', { ...right, domain: 'a.example', storeUrl: 'https://x.example' }, 'storeUrl'],
    [page, { callbackUrl: 'ftp://x.example' }, 'callbackUrl'],
  ];
  for (const [path, form, field] of cases) {
    const { status, text } = await ask(path, form);
    t.is(status, 422, path);
    t.true(text.includes(`id="${field}-error"`), `${path}: ${field}`);
    t.true(text.includes(`value="${form[field]}"`), `${path}: ${form[field]}`);
  }
});

test('users of plugins: made, changed; their tokens are shown once, and end', async (t) => {
  const { id, ask } = await administrator();
  const email = `${randomUUID()}@blue.example`;

  const made = await ask('/users', { name: 'Dana', email, premium: 'on', premiumUntil: '2999-01-31' });
  const page = (made.to ?? '').replace('?notice=saved', '');
  await ask(page, { name: 'Dana Levi', email, premiumUntil: '2999-01-31' });
  const issued = await ask(`${page}/tokens`, { tokenName: 'plugin' });
  const [token = ''] = /\d+\|[A-Za-z0-9]{40}/.exec(issued.text) ?? [];
  const owner = await resolveToken(http.db, token);
  const shown = await ask(page);
  await ask(`${page}/tokens/${Number.parseInt(token, 10)}/revoke`, {});

  t.true(page.endsWith(String(owner?.id)));
  t.regex(shown.text, /value="Dana Levi"/);
  t.false(shown.text.includes(token));
  t.is(await resolveToken(http.db, token), null);
  t.true((await ask('/users')).text.includes(email));
  const entries = await listAudit(http.db, { accountId: id }, { limit: 10 });
  t.deepEqual(entries.map(({ action }) => action).reverse(), [
    'users.create',
    'users.change',
    'tokens.issue',
    'tokens.revoke',
  ]);
});

test('users of plugins: wrong input is refused at its field, and keeps what was typed', async (t) => {
  const { ask } = await administrator();
  const email = `${randomUUID()}@blue.example`;
  const page = ((await ask('/users', { name: 'Dana', email })).to ?? '').replace('?notice=saved', '');
  const other = await ask('/users', { name: 'Dana', email: `2${email}` });
  const otherPage = (other.to ?? '').replace('?notice=saved', '');
  const cases: [path: string, form: Record<string, string>, field: string][] = [
    ['/users', { name: 'Dana', email: 'nobody' }, 'email'],
    ['/users', { name: 'Dana', email }, 'email'],
    [otherPage, { name: 'Dana', email }, 'email'],
    [page, { name: '', email }, 'name'],
    [`${page}/tokens`, { tokenName: '' }, 'tokenName'],
  ];
  for (const [path, form, field] of cases) {
    const { status, text } = await ask(path, form);
    t.is(status, 422, path);
    t.true(text.includes(`id="${field}-error"`), `${path}: ${field}`);
    t.true(text.includes(`value="${form[field]}"`), `${path}: ${form[field]}`);
  }
});
