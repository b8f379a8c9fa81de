import test from 'ava';
import { listAudit } from '../../../src/db/queries/accounts/audit-log.js';
import { findLockedUser } from '../../../src/db/queries/accounts/panel-users.js';
import { en } from '../../../src/http/pages/panel/words/en.js';
import { takeCode } from '../../../src/services/panel/sign-in.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { askPanel, codeOf, PASSWORD, recoveryCodesOn, secretOn, signUp } from '../../support/panel.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { authFailuresPerMinute: 10_000 } });
});
test.after.always(() => http?.close());

const ACCESS = '/panel/profile/access';
const OTHER = 'another long password';

/** A user with two sessions, and a way to ask in the first one. */
async function twice() {
  const user = await signUp(http, 'operator');
  const [, ...codes] = user.codes;
  const second = await signIn(user.email, user.codes[0] ?? '');
  const ask = (path: string, form?: Record<string, string>, cookie = user.accepted.cookie) =>
    askPanel(`${http.url}${path}`, { ...(form === undefined ? {} : { form }), headers: { cookie } });
  /** Whether these sessions are open. */
  const open = (...cookies: string[]) =>
    Promise.all(cookies.map(async (one) => (await ask('/panel/profile', undefined, one)).status === 200));
  return { ...user, codes, first: user.accepted.cookie, second: second.cookie, ask, open };
}

function signIn(email: string, code: string, password = PASSWORD) {
  return askPanel(`${http.url}/panel/sign-in`, { form: { email, password, code } });
}

async function entriesOf(id: number) {
  const entries = await listAudit(http.db, { action: 'panel-users' }, { limit: 200 });
  return entries.filter(
    ({ target, actor, action }) =>
      target.id === String(id) && actor.kind === 'panel' && /change|renew/.test(action),
  );
}

test('the password is changed by who knows it, and the change ends every other session', async (t) => {
  const { id, email, ask, open, first, second, codes } = await twice();
  const wrong = await ask(`${ACCESS}/password`, { current: OTHER, password: OTHER });
  t.is(wrong.status, 422);
  t.true(wrong.text.includes(en.profile.wrongPassword));
  t.is((await ask(`${ACCESS}/password`, { current: PASSWORD, password: 'short' })).status, 422);
  t.deepEqual(await open(first, second), [true, true]);

  const changed = await ask(`${ACCESS}/password`, { current: PASSWORD, password: OTHER });

  t.is(changed.to, `${ACCESS}?notice=accessChanged`);
  t.deepEqual(await open(first, second, changed.cookie), [false, false, true]);
  t.is((await signIn(email, codes[0] ?? '')).status, 401);
  t.is((await signIn(email, codes[0] ?? '', OTHER)).to, '/panel');
  const [entry, ...others] = await entriesOf(id);
  t.is(others.length, 0);
  t.like(entry, { action: 'panel-users.change-password', after: { password: 'changed' } });
  t.is(entry?.actor.name, email);
});

test('new recovery codes take the place of the old ones, for a code that was not used', async (t) => {
  const { id, email, ask, open, first, second, secret, code, codes } = await twice();
  t.regex((await ask(ACCESS)).text, /Recovery codes left: 9/);
  const used = await ask(`${ACCESS}/recovery-codes`, { present: code });
  t.is(used.status, 422);
  t.true(used.text.includes(en.profile.wrongCode));

  const shown = await ask(`${ACCESS}/recovery-codes`, { present: codeOf(secret, 1) });

  const made = recoveryCodesOn(shown);
  t.is(made.length, 10);
  t.deepEqual(await open(first, second, shown.cookie), [false, false, true]);
  t.is((await signIn(email, codes[0] ?? '')).status, 401);
  t.is((await signIn(email, made[0] ?? '')).to, '/panel');
  const entries = await entriesOf(id);
  t.like(entries[0], { action: 'panel-users.renew-recovery-codes', after: { recovery_codes: 'changed' } });
  t.notRegex(JSON.stringify(entries), new RegExp(made.join('|')));
});

test('a recovery code that was read before a renewal neither counts nor brings the old ones back', async (t) => {
  const { email, ask, secret } = await twice();
  const path = `${ACCESS}/recovery-codes`;
  const shown = await ask(path, { present: codeOf(secret, 1) });
  const [used = '', old = ''] = recoveryCodesOn(shown);
  const read = await findLockedUser(http.db, email);
  if (read === null) throw new Error('no user');
  const [made = ''] = recoveryCodesOn(await ask(path, { present: used }, shown.cookie));

  const taken = await takeCode(http, read, old);

  t.is(taken, 'wrong');
  t.is((await signIn(email, made)).to, '/panel');
});

test('a new authenticator is set up with a code of the old one or a recovery code', async (t) => {
  const { id, email, ask, open, first, second, secret, codes } = await twice();
  const fresh = secretOn(await ask(`${ACCESS}/authenticator`));
  t.not(fresh, secret);
  const [current = ''] = codes;
  const wrong = await ask(`${ACCESS}/authenticator`, { secret: fresh, code: '000000', current });
  t.is(wrong.status, 422);
  t.is(secretOn(wrong), fresh, 'the picture stays');
  const guessed = { secret: fresh, code: codeOf(fresh), current: '000000' };
  t.is((await ask(`${ACCESS}/authenticator`, guessed)).status, 422);
  t.is((await ask(`${ACCESS}/authenticator`, { ...guessed, secret: 'x' })).status, 422);
  t.deepEqual(await open(first, second), [true, true]);

  const changed = await ask(`${ACCESS}/authenticator`, { secret: fresh, code: codeOf(fresh), current });

  t.deepEqual(await open(first, second, changed.cookie), [false, false, true]);
  t.is((await signIn(email, codeOf(secret, 1))).status, 401, 'the old app');
  t.is((await signIn(email, codeOf(fresh, 1))).to, '/panel');
  t.is((await signIn(email, current)).status, 401, 'a recovery code works once');
  const [entry] = await entriesOf(id);
  t.like(entry, { action: 'panel-users.renew-authenticator', after: { authenticator: 'changed' } });
  t.false(JSON.stringify(entry).includes(fresh));
});

test('guesses in an open panel are counted with those of the sign-in', async (t) => {
  const { ask, email, secret } = await twice();
  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => ask(`${ACCESS}/password`, { current: OTHER, password: OTHER })),
  );
  t.true(guesses.filter(({ status }) => status === 429).length >= 10);
  t.true([429, 303].includes((await signIn(email, codeOf(secret, 1))).status));
});
