import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account with its first credentials, and a way to ask for pages below it as a role. */
async function visitor(role: 'administrator' | 'owner' = 'administrator') {
  const { id, headers } = await http.account();
  const cookie = await cookieOf(http, role, role === 'owner' ? id : undefined);
  const ask = (path: string, form?: Record<string, string>) =>
    askPanel(`${http.url}/panel/a/${id}/credentials${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  return { id, first: headers, clientId: headers['x-client-id'] ?? '', ask };
}

/** The credentials that a page shows once. */
function shownIn(text: string): Record<string, string> {
  const [, clientId = ''] = /X-Client-Id: <bdi[^>]*>(ci_[\w-]+)</.exec(text) ?? [];
  const [, secret = ''] = /X-Client-Secret: <bdi[^>]*>(sk_[\w-]+)</.exec(text) ?? [];
  return { 'x-client-id': clientId, 'x-client-secret': secret };
}

function statusOf(headers: Record<string, string>, method = 'GET', path = '/account') {
  return http.send(method, path, { headers }).then(({ status }) => status);
}

test('an administrator makes credentials, which are shown once, and work', async (t) => {
  const { id, ask } = await visitor();

  const made = await ask('', { name: '<b>report</b>', expires: '2999-01-31', read_only: 'on' });

  const issued = shownIn(made.text);
  t.is(await statusOf(issued), 200);
  t.is(await statusOf(issued, 'DELETE', '/webhooks/1'), 403);
  const list = await ask('');
  t.true(list.text.includes('&lt;b&gt;report&lt;/b&gt;'));
  t.true(list.text.includes('2999-01-31'));
  const one = await ask(`/${issued['x-client-id']}`);
  t.is(one.status, 200);
  for (const { text } of [list, one]) t.false(text.includes(issued['x-client-secret'] ?? ''));
  const [entry] = await listAudit(http.db, { accountId: id }, { limit: 1 });
  t.like(entry, { action: 'credentials.create', actor: { kind: 'panel' } });
  t.false(JSON.stringify(entry).includes('sk_'));
});

test('an owner makes, replaces and revokes credentials of the own account, and of no other', async (t) => {
  const { id, first, clientId, ask } = await visitor('owner');
  const foreign = await visitor('owner');

  const made = shownIn((await ask('', { name: 'own' })).text);
  const replaced = shownIn((await ask(`/${made['x-client-id']}/rotate`, { overlap: 'none' })).text);
  const others = await Promise.all(
    ['', '/rotate', '/revoke'].map((act) => foreign.ask(`/${clientId}${act}`, act === '' ? undefined : {})),
  );
  await ask(`/${clientId}/revoke`, {});

  t.deepEqual(
    others.map(({ status }) => status),
    [404, 404, 404],
  );
  t.deepEqual(await Promise.all([first, made, replaced].map((each) => statusOf(each))), [401, 401, 200]);
  const entries = await listAudit(http.db, { accountId: id }, { limit: 10 });
  t.true(entries.some(({ action, actor }) => action === 'credentials.revoke' && actor.kind === 'panel'));
});

test('an owner changes what recipients see, and neither opens nor disables the account', async (t) => {
  const { id, headers } = await http.account();
  const cookie = await cookieOf(http, 'owner', id);
  const ask = (path: string, form?: Record<string, string>) =>
    askPanel(`${http.url}/panel/a/${id}/settings${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  const look = { name: 'Blue', email: 'ops@blue.example', companyName: 'Blue Shop', locale: 'he' };

  await ask('', {
    ...look,
    labelMethod: 'builtin',
    labelType: 'A4',
    enableApi: 'false',
    disabledAt: '2020-01-01',
  });

  const shown = await ask('');
  t.true(shown.text.includes('value="Blue Shop"'));
  t.false(shown.text.includes('/settings/state'));
  for (const what of ['close', 'disableAccount']) {
    t.is((await ask('/state', { do: what })).status, 404, what);
  }
  t.is(await statusOf(headers), 200);
});

test('replaced credentials work for as long as was chosen', async (t) => {
  const { first, clientId, ask } = await visitor();

  const second = shownIn((await ask(`/${clientId}/rotate`, { overlap: '7d' })).text);
  const beside = await Promise.all([first, second].map((each) => statusOf(each)));
  const third = shownIn((await ask(`/${second['x-client-id']}/rotate`, { overlap: 'none' })).text);
  const after = await Promise.all([second, third].map((each) => statusOf(each)));

  t.deepEqual(beside, [200, 200]);
  t.deepEqual(after, [401, 200]);
});

test('revoked credentials are refused, one by one or all at once', async (t) => {
  const { first, clientId, ask } = await visitor();
  const second = shownIn((await ask('', { name: 'second' })).text);

  t.regex((await ask(`/${clientId}/revoke`, {})).to ?? '', /notice=ended$/);
  const one = await Promise.all([first, second].map((each) => statusOf(each)));
  await ask('/end', {});

  t.deepEqual(one, [401, 200]);
  t.is(await statusOf(second), 401);
  t.is((await ask(`/${clientId}`)).status, 404);
});

test('wrong input is refused at its field, and keeps what was typed', async (t) => {
  const { clientId, ask } = await visitor();
  const cases: [path: string, form: Record<string, string>, field: string][] = [
    ['', { name: '', expires: '2999-01-31' }, 'name'],
    ['', { name: 'Report', expires: '2020-01-31' }, 'expires'],
    [`/${clientId}/rotate`, { overlap: '24h', expires: '2020-01-31' }, 'expires'],
  ];
  for (const [path, form, field] of cases) {
    const { status, text } = await ask(path, form);
    t.is(status, 422, path);
    t.true(text.includes(`id="${field}-error"`), `${path}: ${field}`);
    t.true(text.includes(`value="${form.expires}"`));
  }
  t.is((await ask(`/${clientId}/rotate`, { overlap: 'long' })).status, 422);
});

test('an account has no more credentials than it may', async (t) => {
  const { id, ask } = await visitor();
  await http.db.run(
    `INSERT INTO client_credentials (account_id, name, client_id, client_secret_hash, client_secret_last4)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49)
     SELECT ?, 'many', CONCAT('ci_', ?, '-', i), UNHEX(SHA2(i, 256)), 'last' FROM n`,
    [id, id],
  );

  const { status, text } = await ask('', { name: 'one more' });

  t.is(status, 422);
  t.regex(text, /has 50 credentials, which is the most/);
});
