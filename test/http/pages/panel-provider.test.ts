import { randomUUID } from 'node:crypto';
import test from 'ava';
import { findPanelUser } from '../../../src/db/queries/accounts/panel-users.js';
import { ar } from '../../../src/http/pages/panel/words/ar.js';
import { en } from '../../../src/http/pages/panel/words/en.js';
import { he } from '../../../src/http/pages/panel/words/he.js';
import { filled } from '../../../src/http/pages/panel/words/words.js';
import { LIMITS } from '../../../src/lib/limits/values.js';
import { openBegun, sealBegun } from '../../../src/services/panel/provider.js';
import { changePanelUser } from '../../../src/services/panel/users.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { signInAt, startProvider, type TestProvider } from '../../support/openid-provider.js';
import { invite } from '../../support/panel.js';

const CALLBACK = 'https://api.parcels.test/panel/sign-in/callback';
const SESSION = '__Host-parcelworks=';
const BEGUN = '__Host-parcelworks-provider=';
const OUT = '__Host-parcelworks-out=';

let provider: TestProvider;
let http: HttpStack;
test.before(async () => {
  provider = await startProvider(CALLBACK);
  http = await startHttp({
    config: { authFailuresPerMinute: 10_000, panelProvider: provider.settings },
  });
});
test.after.always(async () => {
  await http?.close();
  await provider?.close();
});

interface Answer {
  status: number;
  text: string;
  to: string;
  /** Cookies of the browser: `name=value`, without value when a cookie ends. */
  cookies: string[];
}

async function get({ url }: HttpStack, path: string, cookie = '', language = 'en'): Promise<Answer> {
  const headers = { cookie, 'accept-language': language, 'sec-fetch-site': 'cross-site' };
  const response = await fetch(`${url}${path}`, { redirect: 'manual', headers });
  return {
    status: response.status,
    text: await response.text(),
    to: response.headers.get('location') ?? '',
    cookies: response.headers.getSetCookie().map((kept) => kept.split(';')[0] ?? ''),
  };
}

/** A sign-in that is about to come back from the provider. */
interface Walked {
  /** Path and query to which the provider leads. */
  path: string;
  cookie: string;
}

interface WalkOptions {
  at?: { http: HttpStack; provider: TestProvider };
  query?: string;
  /** Changes the parameters that the provider gets. */
  forge?: (sent: URLSearchParams) => void;
}

async function walk(
  login: string | null,
  { at = { http, provider }, query = '', forge }: WalkOptions = {},
): Promise<Walked> {
  const begun = await get(at.http, `/panel/sign-in/provider${query}`);
  const to = new URL(begun.to);
  forge?.(to.searchParams);
  const back = await signInAt(at.provider, to.href, login);
  return { path: back.pathname + back.search, cookie: begun.cookies[0] ?? '' };
}

async function comeBack({ path, cookie }: Walked, at = http): Promise<Answer> {
  return await get(at, path, cookie);
}

const kept = ({ cookies }: Answer, name: string) => cookies.find((cookie) => cookie.startsWith(name));
const saidBy = ({ text }: Answer) => /role="alert"[^>]*>([^<]*)</.exec(text)?.[1];
const said = (text: string) => filled(text, { provider: 'Example ID' });

async function signedIn(answer: Answer, at = http): Promise<boolean> {
  if (answer.to !== '/panel') return false;
  return (await get(at, '/panel/profile', kept(answer, SESSION))).status === 200;
}

test('a user who comes in at the provider is led to the page asked for, and nowhere else', async (t) => {
  const { email } = await invite(http, 'administrator');
  const comeInTo = async (to: string) =>
    (await comeBack(await walk(email, { query: `?to=${encodeURIComponent(to)}` }))).to;

  t.is(await comeInTo('/panel/attention?carrier=run'), '/panel/attention?carrier=run');
  t.is(await comeInTo('//evil.example/panel/x'), '/panel');
});

test('a user whom the provider confirms comes in, and the begun sign-in is forgotten', async (t) => {
  const { email } = await invite(http, 'administrator');
  const walked = await walk(email);
  t.true(walked.cookie.startsWith(BEGUN));

  const answer = await comeBack(walked);

  t.is(answer.status, 303);
  t.true(await signedIn(answer));
  t.is(kept(answer, BEGUN), BEGUN);
  const access = await get(http, '/panel/profile/access', kept(answer, SESSION));
  t.true(access.text.includes(en.profile.noPassword));
  t.notRegex(access.text, /name="password"/);
});

for (const [name, inToken, login, isIn] of [
  ['its token does not say whether', ({ email }: { email?: string | undefined }) => ({ email }), '', true],
  ['its token says no', (claims: object) => ({ ...claims, email_verified: false }), '', false],
  ['its token names no e-mail and says no', () => ({ email_verified: false }), '', false],
  ['neither says so', ({ email }: { email?: string | undefined }) => ({ email }), 'unverified-', false],
] as const) {
  test(`an e-mail that the provider confirms at its userinfo: ${name}`, async (t) => {
    const own = await startProvider(CALLBACK, { hasClaimsInToken: true, inToken });
    t.teardown(() => own.close());
    const at = await startHttp({ config: { authFailuresPerMinute: 10_000, panelProvider: own.settings } });
    t.teardown(() => at.close());
    const { email } = await invite(at, 'administrator');

    const answer = await comeBack(await walk(login + email, { at: { http: at, provider: own } }), at);

    t.is(await signedIn(answer, at), isIn);
    if (!isIn) t.deepEqual([answer.status, saidBy(answer)], [403, said(en.signIn.unverified)]);
  });
}

test('POST /panel/sign-out: the next sign-in at the provider asks who it is, on whatever page it begins', async (t) => {
  const { email } = await invite(http, 'administrator');
  const session = kept(await comeBack(await walk(email)), SESSION) ?? '';
  const promptWith = async (cookie: string) =>
    new URL((await get(http, '/panel/sign-in/provider', cookie)).to).searchParams.get('prompt');

  const out = await fetch(`${http.url}/panel/sign-out`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: session, 'sec-fetch-site': 'same-origin' },
  });

  const mark = out.headers.getSetCookie().find((cookie) => cookie.startsWith(OUT)) ?? '';
  const walked = await walk(email);
  const back = await comeBack({ ...walked, cookie: `${walked.cookie}; ${mark.split(';')[0]}` });
  t.regex(mark, /Max-Age=\d{7,};/);
  t.is(await promptWith(''), null);
  t.is(await promptWith(mark.split(';')[0] ?? ''), 'login');
  t.true(await signedIn(back));
  t.is(kept(back, OUT), OUT);
});

test('capitals in an e-mail make no other user', async (t) => {
  const { email } = await invite(http, 'administrator');
  t.true(await signedIn(await comeBack(await walk(email.toUpperCase()))));
});

test('the sign-in accepts a first invitation, in the language of the page', async (t) => {
  const { id, path, email } = await invite(http, 'operator');
  t.is((await findPanelUser(http.db, { id }))?.isEnrolled, false);

  t.true(await signedIn(await comeBack(await walk(email, { query: '?lang=he' }))));

  const user = await findPanelUser(http.db, { id });
  t.like(user, { isEnrolled: true, language: 'he', invitationEndsAt: null, role: 'operator' });
  t.is((await get(http, path)).status, 404);
});

test('each sign-in makes another session, whatever the browser sent', async (t) => {
  const { email } = await invite(http, 'operator');
  const planted = `${SESSION}${'x'.repeat(43)}`;
  const walked = await walk(email);

  const first = await get(http, walked.path, `${planted}; ${walked.cookie}`);
  const second = await comeBack(await walk(email));

  t.is(new Set([planted, kept(first, SESSION), kept(second, SESSION)]).size, 3);
});

test('nobody comes in without a user: unknown, disabled, or of a disabled account', async (t) => {
  const { id, email } = await invite(http, 'operator');
  await changePanelUser({ db: http.db, actor: TEST_ACTOR }, { user: String(id), isActive: false });
  const account = await http.account();
  const closed = await invite(http, 'owner', account.id);
  await http.db.run('UPDATE accounts SET disabled_at = NOW(6) WHERE id = ?', [account.id]);

  for (const login of [`${randomUUID()}@panel.example`, email, closed.email]) {
    const answer = await comeBack(await walk(login));
    t.is(answer.status, 403);
    t.is(saidBy(answer), said(en.signIn.unknown));
    t.true(answer.text.includes('/panel/sign-in/provider?lang=en&amp;again='));
    t.is(kept(answer, SESSION), undefined);
    t.false(http.log.join('').includes(login));
  }
});

test('an e-mail that the provider does not confirm lets nobody in', async (t) => {
  const { id } = await invite(http, 'administrator');
  const email = `unverified-${randomUUID()}@panel.example`;
  await http.db.run('UPDATE panel_users SET email = ? WHERE id = ?', [email, id]);

  for (const login of [email, 'nameless']) {
    const answer = await comeBack(await walk(login));
    t.deepEqual([answer.status, saidBy(answer)], [403, said(en.signIn.unverified)]);
    t.is(kept(answer, SESSION), undefined);
  }
});

test('a cancelled sign-in says so, in the language in which it began', async (t) => {
  for (const [language, words] of Object.entries({ en, he, ar })) {
    const answer = await comeBack(await walk(null, { query: `?lang=${language}` }));
    t.deepEqual([answer.status, saidBy(answer)], [403, said(words.signIn.denied)]);
    t.true(answer.text.includes('href="/panel/sign-in?lang=ar"'), 'other languages lead to the sign-in');
  }
});

test('what was not begun in this browser, or long ago, begins again', async (t) => {
  const { email } = await invite(http, 'administrator');
  const own = await walk(email);
  const other = await walk(email);
  const begun = openBegun(own.cookie.slice(BEGUN.length), http.config.appKeys);
  if (begun === null) throw new Error('the cookie cannot be opened');
  const aged = Date.now() - (LIMITS.panel.providerSeconds + 1) * 1000;
  const old = BEGUN + sealBegun(begun, http.config.appKeys, aged);
  const noState = own.path.replace(/state=[^&]*/, '');

  for (const walked of [
    { ...own, cookie: '' },
    { ...own, cookie: other.cookie },
    { ...own, cookie: old },
    { ...own, cookie: `${own.cookie.slice(0, -6)}AAAAAA` },
    { ...own, path: noState },
  ]) {
    const answer = await comeBack(walked);
    t.deepEqual([answer.status, saidBy(answer)], [400, said(en.signIn.stale)]);
    t.deepEqual(answer.cookies, []);
  }
  t.true(await signedIn(await comeBack(own)), 'the right one still works');
});

test('an answer that fails a check lets nobody in: nonce, proof of the beginning, a used code', async (t) => {
  const { email } = await invite(http, 'administrator');
  const used = await walk(email);
  t.true(await signedIn(await comeBack(used)));
  const doubled = await walk(email);

  for (const walked of [
    await walk(email, { forge: (sent) => sent.set('nonce', 'another') }),
    await walk(email, { forge: (sent) => sent.set('code_challenge', 'x'.repeat(43)) }),
    used,
    { ...doubled, path: `${doubled.path}&code=another` },
    { ...doubled, path: doubled.path.replace(/code=[^&]*/, '') },
    { ...doubled, path: doubled.path.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fother.example') },
  ]) {
    const answer = await comeBack(walked);
    t.deepEqual([answer.status, saidBy(answer)], [400, said(en.signIn.unproven)], walked.path);
    t.is(kept(answer, SESSION), undefined);
  }
});

test.serial(
  'a provider that fails, or does not know us, is said to be away, and the log names why',
  async (t) => {
    const { email } = await invite(http, 'administrator');
    const json = 'application/json';
    for (const [type, body, logged] of [
      [json, '{"error":"invalid_client","error_description":"hush"}', '"providerCode":"invalid_client"'],
      [json, '{"error":"<b>x</b>"}', 'OAUTH_RESPONSE_BODY_ERROR'],
      ['text/html', '<p>down', 'OAUTH_RESPONSE_IS_NOT_JSON'],
    ] as const) {
      const walked = await walk(email);
      provider.fault = { path: '/token', status: 400, type, body };
      const answer = await comeBack(walked);
      provider.fault = null;
      t.deepEqual([answer.status, saidBy(answer)], [503, said(en.signIn.away)], body);
      const lines = http.log.filter((line) => line.includes('sign-in at the provider failed'));
      t.true(
        lines.some((line) => line.includes(logged)),
        `${logged} in ${lines.join('')}`,
      );
    }
    const log = http.log.join('');
    for (const secret of ['hush', '<b>', email, 'code=', provider.settings.clientSecret]) {
      t.false(log.includes(secret), secret);
    }
  },
);

test('a provider that was away is asked again; its e-mail may be in the ID token', async (t) => {
  const another = await startProvider(CALLBACK, { hasClaimsInToken: true });
  t.teardown(() => another.close());
  const config = { panelProvider: another.settings };
  const own = await startHttp({ config });
  t.teardown(() => own.close());
  const at = { http: own, provider: another };
  const { email } = await invite(own, 'administrator');

  another.fault = { path: '/.well-known', status: 502, type: 'text/html', body: '<p>down' };
  const away = await get(own, '/panel/sign-in/provider');
  t.deepEqual([away.status, saidBy(away)], [503, said(en.signIn.away)]);
  another.fault = null;
  // An answer about the user is not needed then.
  another.fault = { path: '/me', status: 500, type: 'text/html', body: '' };

  t.true(await signedIn(await comeBack(await walk(email, { at }), own), own));
});

test('begun and returning sign-ins of an address are counted', async (t) => {
  const own = await startHttp({
    config: { panelProvider: provider.settings, authFailuresPerMinute: 3 },
  });
  t.teardown(() => own.close());
  for (const path of ['/panel/sign-in/provider', '/panel/sign-in/callback?state=x']) {
    const answers = [];
    for (let tries = 0; tries < 8; tries += 1) answers.push((await get(own, path)).status);
    t.true(answers.includes(429), path);
  }
});
