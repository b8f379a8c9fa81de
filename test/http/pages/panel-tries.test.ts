import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { LIMITS } from '../../../src/lib/limits/values.js';
import { panelSignIns } from '../../../src/lib/metrics.js';
import { earlyInTheMinute } from '../../support/conditions.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, codeOf, invite, PASSWORD, secretOn, signUp } from '../../support/panel.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { trustProxy: 1, authFailuresPerMinute: 40 } });
});
test.after.always(() => http?.close());

/** Tries to sign in from an address. */
function signIn(email: string, code: string, { from = '203.0.113.1', password = PASSWORD } = {}) {
  const headers = { 'x-forwarded-for': from, 'accept-language': 'en' };
  return askPanel(`${http.url}/panel/sign-in`, { form: { email, password, code }, headers });
}

const audited = async (id: number) =>
  (await listAudit(http.db, { targetKind: 'panel-user', targetId: String(id) }, { limit: 200 })).map(
    ({ action, actor, after }) => ({ action, actor, after }),
  );

async function outcomes(): Promise<Record<string, number>> {
  const { values } = await panelSignIns.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
}

test.serial('POST /panel/sign-in: right sign-ins do not count', async (t) => {
  const { email, codes } = await signUp(http, 'operator');
  await earlyInTheMinute();
  for (let wrong = 1; wrong < LIMITS.panel.signInsOfUser; wrong += 1) {
    t.is((await signIn(email, '000000', { password: 'not the password' })).status, 401);
  }

  for (const code of codes) t.is((await signIn(email, code)).to, '/panel');
});

test.serial('POST /panel/sign-in: wrong ones from elsewhere, or of the API, shut nobody out', async (t) => {
  const { email, codes } = await signUp(http, 'operator');
  await earlyInTheMinute();
  const wrong = await Promise.all(
    Array.from({ length: 15 }, () => signIn(email, '000000', { from: '203.0.113.2', password: 'guess' })),
  );
  t.is(wrong.filter(({ status }) => status === 429).length, 15 - LIMITS.panel.signInsOfUser);
  const headers = { 'x-client-id': 'x', 'x-client-secret': 'y', 'x-forwarded-for': '203.0.113.3' };
  const statuses = [];
  for (let sent = 0; sent < 41; sent += 1) {
    statuses.push((await fetch(`${http.url}/api/v2/licenses`, { headers })).status);
  }
  t.is(statuses.at(-1), 429);

  const elsewhere = await signIn(email, codes[0] ?? '', { from: '203.0.113.4' });
  const beside = await signIn(email, codes[1] ?? '', { from: '203.0.113.3' });

  t.is(elsewhere.to, '/panel');
  t.is(beside.to, '/panel');
});

test.serial(
  'POST /panel/sign-in: only a recovery code gets in when 20 codes of a day were wrong',
  async (t) => {
    const { id, email, secret, codes } = await signUp(http, 'operator');
    const before = await outcomes();
    const most = LIMITS.panel.wrongCodesOfUser;
    await earlyInTheMinute();
    const guesses = await Promise.all(
      Array.from({ length: most + 10 }, (_, index) =>
        signIn(email, '000000', { from: `198.51.100.${index}` }),
      ),
    );
    t.deepEqual([...new Set(guesses.map(({ status }) => status))], [401]);

    const right = await signIn(email, codeOf(secret, 1), { from: '192.0.2.1' });

    t.is(right.status, 401);
    t.regex(right.text, /Too many codes were wrong today\. Sign in with a recovery code/);
    t.is((await signIn(email, codes[0] ?? '', { from: '192.0.2.1' })).to, '/panel');
    const rows = await audited(id);
    t.is(rows.filter(({ action }) => action === 'panel-users.wrong-code').length, most);
    const after = await outcomes();
    const more = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
    t.deepEqual([more('wrong_code'), more('no_more_codes'), more('in')], [most, 11, 1]);
    await http.db.run('UPDATE panel_users SET wrong_codes_since = NOW(6) - INTERVAL 2 DAY WHERE id = ?', [
      id,
    ]);
    t.is((await signIn(email, codeOf(secret, 1), { from: '192.0.2.1' })).to, '/panel', 'a day later');
  },
);

test.serial('the audit tells who came in, how, and what ended', async (t) => {
  const { id, email, codes, secret } = await signUp(http, 'operator');
  const { cookie } = await signIn(email, codes[0] ?? '');
  await askPanel(`${http.url}/panel/profile/sessions`, {
    form: { end: 'others', key: 'a-key-of-this-form' },
    headers: { cookie },
  });
  await askPanel(`${http.url}/panel/sign-out`, {
    form: {},
    headers: { cookie, 'x-forwarded-for': '203.0.113.9' },
  });

  const rows = await audited(id);

  t.deepEqual(
    rows.map(({ action, after }) => [action, after?.by]),
    [
      ['panel-users.sign-out', undefined],
      ['panel-users.end-sessions', undefined],
      ['panel-users.sign-in', 'password'],
      ['panel-users.accept-invitation', 'password'],
      ['panel-users.create', undefined],
    ],
  );
  t.like(rows[0]?.actor, { kind: 'panel', name: email, origin: '203.0.113.9' });
  t.notRegex(JSON.stringify(rows), new RegExp([secret, PASSWORD, ...codes].join('|')));
});

test.serial(
  'POST /panel/invitation/{token}: 422 with a new secret when the hidden one was changed',
  async (t) => {
    const { path } = await invite(http, 'operator');
    const form = { secret: 'abc!', password: PASSWORD, code: '000000' };

    const answer = await askPanel(`${http.url}${path}`, { form });

    t.is(answer.status, 422);
    t.regex(secretOn(answer), /^[A-Z2-7]{32}$/);
  },
);

test.serial(
  'POST /panel/sign-out: the sender is ours by BASE_URL when a proxy has rewritten the host',
  async (t) => {
    const statusOf = async (origin: string) =>
      (await fetch(`${http.url}/panel/sign-out`, { method: 'POST', redirect: 'manual', headers: { origin } }))
        .status;

    t.is(await statusOf(new URL(http.config.baseUrl).origin), 303);
    t.is(await statusOf('https://evil.example'), 403);
  },
);
