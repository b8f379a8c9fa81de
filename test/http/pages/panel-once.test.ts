import { randomUUID } from 'node:crypto';
import test from 'ava';
import { deleteOldForms } from '../../../src/db/queries/accounts/panel-sent-forms.js';
import { type SentForm, takeTurn } from '../../../src/services/panel/sent-forms.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf, invite } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account, and a way to send the form of new credentials with a key. */
async function credentialsForm() {
  const { id } = await http.account();
  const cookie = await cookieOf(http, 'administrator');
  const page = `${http.url}/panel/a/${id}/credentials`;
  const send = (form: Record<string, string>) => askPanel(page, { form, headers: { cookie, referer: page } });
  const count = async () => {
    const [row] = await http.db.select(
      'SELECT COUNT(*) AS found FROM client_credentials WHERE account_id = ?',
      [id],
    );
    return Number(row?.found);
  };
  return { id, cookie, send, count, show: () => askPanel(page, { headers: { cookie } }) };
}

const secretIn = (text: string) => /sk_[\w-]+/.exec(text)?.[0];

test('POST /panel: a form sent twice at once has one effect, and both answers show its secret', async (t) => {
  const { send, count } = await credentialsForm();
  const before = await count();
  const form = { key: randomUUID(), name: 'shop' };

  const answers = await Promise.all([send(form), send(form), send(form)]);

  t.is(await count(), before + 1);
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.is(new Set(answers.map(({ text }) => secretIn(text))).size, 1);
  t.truthy(secretIn(answers[0].text));
});

test('POST /panel: a form sent again later shows the secret again, which is stored sealed', async (t) => {
  const { send, count } = await credentialsForm();
  const form = { key: randomUUID(), name: 'shop' };
  const first = await send(form);
  const after = await count();

  const again = await send(form);

  t.is(secretIn(again.text), secretIn(first.text));
  t.is(await count(), after);
  const secret = secretIn(first.text) ?? '';
  const rows = await http.db.select('SELECT answer FROM panel_sent_forms WHERE answer IS NOT NULL');
  t.true(rows.length > 0);
  t.false(rows.some(({ answer }) => Buffer.isBuffer(answer) && answer.includes(secret)));
});

test('POST /panel: 409 says what came of the form when its key comes with other content', async (t) => {
  const { id, send, count } = await credentialsForm();
  const key = randomUUID();
  await send({ key, name: 'shop' });
  const before = await count();

  const other = await send({ key, name: 'another' });

  t.is(other.status, 409);
  t.true(other.text.includes('New credentials'));
  t.true(other.text.includes(`href="/panel/a/${id}/credentials"`));
  t.is(await count(), before);
});

test('POST /panel: 422 leads back to the page when a form has no key', async (t) => {
  const { id, send, count } = await credentialsForm();
  const before = await count();

  for (const key of ['', 'short', `${randomUUID()}<b>`]) {
    const answer = await send({ key, name: 'shop' });

    t.is(answer.status, 422, key);
    t.true(answer.text.includes(`class="button" href="/panel/a/${id}/credentials"`));
  }
  t.is(await count(), before);
});

test('POST /panel: a form without a key leads back to its page behind a proxy that rewrites the host', async (t) => {
  const { id, cookie } = await credentialsForm();
  const path = `/panel/a/${id}/credentials`;
  const from = async (referer: string) =>
    (await askPanel(`${http.url}${path}`, { form: { key: '' }, headers: { cookie, referer } })).text;

  t.true((await from(`${http.config.baseUrl}${path}`)).includes(`class="button" href="${path}"`));
  t.true((await from(`https://evil.example${path}`)).includes('class="button" href="/panel"'));
});

test('POST /panel: a refused form can be corrected and sent again', async (t) => {
  const { send, count } = await credentialsForm();
  const before = await count();
  const key = randomUUID();

  const refused = await send({ key, name: '' });
  const corrected = await send({ key, name: 'shop' });

  t.is(refused.status, 422);
  t.is(corrected.status, 200);
  t.is(await count(), before + 1);
});

test('GET /panel: every form that is sent has its own key', async (t) => {
  const { show } = await credentialsForm();

  const { text } = await show();

  const forms = text.match(/<form method="post"/g) ?? [];
  const keys = [
    ...text.matchAll(/<form method="post"[^>]*><input type="hidden" name="key" value="([^"]+)">/g),
  ];
  t.true(forms.length >= 2);
  t.is(new Set(keys.map(([, key]) => key)).size, forms.length);
});

/** A form of a new user, as the service takes it. */
async function sentForm(): Promise<SentForm> {
  const { id } = await invite(http, 'operator');
  return { userId: id, key: randomUUID(), path: '/panel/x', content: '[]' };
}

const never = new AbortController().signal;

test('takeTurn: the claim of a process that died ends, and another request carries the form out', async (t) => {
  const form = await sentForm();
  const dead = await takeTurn(http.app, form, never);
  const waiting = takeTurn(http.app, form, never);

  await http.db.run('UPDATE panel_sent_forms SET claimed_until = NOW(6) WHERE user_id = ?', [form.userId]);

  const turn = await waiting;
  t.is(turn.kind, 'first');
  if (turn.kind === 'first') await turn.keep('done');
  // It was only slow, and its answer comes late.
  if (dead.kind === 'first') await dead.keep('late');
  t.deepEqual(await takeTurn(http.app, form, never), { kind: 'again', isSame: true, answer: 'done' });
});

test('takeTurn: another user, and another path, is another form', async (t) => {
  const form = await sentForm();
  const other = await sentForm();
  const turns = await Promise.all([
    takeTurn(http.app, form, never),
    takeTurn(http.app, { ...form, userId: other.userId }, never),
    takeTurn(http.app, { ...form, path: '/panel/y' }, never),
  ]);

  t.deepEqual(
    turns.map(({ kind }) => kind),
    ['first', 'first', 'first'],
  );
  for (const turn of turns) if (turn.kind === 'first') await turn.free();
});

test('deleteOldForms: only what was sent long ago goes', async (t) => {
  const [old, young] = [await sentForm(), await sentForm()];
  for (const form of [old, young]) {
    const turn = await takeTurn(http.app, form, never);
    if (turn.kind === 'first') await turn.keep('done');
  }
  const age = 'UPDATE panel_sent_forms SET created_at = NOW(6) - INTERVAL 2 HOUR WHERE user_id = ?';
  await http.db.run(age, [old.userId]);

  await deleteOldForms(http.db, 3600, 1000);

  const left = await http.db.select('SELECT user_id FROM panel_sent_forms');
  const ids = left.map(({ user_id }) => Number(user_id));
  t.false(ids.includes(old.userId));
  t.true(ids.includes(young.userId));
});
