import { randomUUID } from 'node:crypto';
import test from 'ava';
import { openSession } from '../../../src/services/panel/sessions.js';
import { changePanelUser } from '../../../src/services/panel/users.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf, cookieWith, signUp } from '../../support/panel.js';
import { formsIn } from '../../support/panel-forms.js';

const http = await startHttp();
test.after.always(() => http.close());

async function cookieOfUser(id: number): Promise<string> {
  return cookieWith(await openSession(http, id, { address: '127.0.0.1', browser: 'test' }));
}

async function activeOf(...ids: number[]): Promise<boolean[]> {
  const rows = await http.db.select('SELECT id, is_active FROM panel_users ORDER BY id');
  return ids.map((id) => Number(rows.find((row) => Number(row.id) === id)?.is_active) === 1);
}

test.serial('POST /users/:id: nobody disables themselves, and an administrator always stays', async (t) => {
  const one = await signUp(http, 'administrator');
  const cookie = await cookieOfUser(one.id);
  const disable = (id: number, as = cookie) =>
    askPanel(`${http.url}/panel/users/${id}`, { form: { do: 'disable' }, headers: { cookie: as } });

  const self = await disable(one.id);

  t.is(self.status, 422);
  t.regex(self.text, /Nobody changes this about themselves/);
  const byProgram = changePanelUser(
    { db: http.db, actor: TEST_ACTOR },
    { user: String(one.id), isActive: false },
  );
  await t.throwsAsync(byProgram, { message: /must stay: nobody else/ });
  const demoted = changePanelUser(
    { db: http.db, actor: TEST_ACTOR },
    { user: String(one.id), role: 'operator' },
  );
  await t.throwsAsync(demoted, { message: /role must stay/ });
  t.deepEqual(await activeOf(one.id), [true]);
  const two = await signUp(http, 'administrator');
  const cookieOfTwo = await cookieOfUser(two.id);
  const ended = await Promise.all([disable(two.id), disable(one.id, cookieOfTwo)]);
  const [done = 0, refused = 0] = ended.map(({ status }) => status).toSorted();
  t.is(done, 303);
  // The second asks while the first is at work, or after it, when its session has ended.
  t.true([401, 422].includes(refused), String(refused));
  t.is((await activeOf(one.id, two.id)).filter(Boolean).length, 1);
});

test.serial('POST /users/:id, /settings/state: 422 when the form does not say what to do', async (t) => {
  const { id } = await http.account();
  const cookie = await cookieOf(http, 'administrator');
  const user = await signUp(http, 'operator');

  for (const path of [`/panel/users/${user.id}`, `/panel/a/${id}/settings/state`]) {
    for (const form of [{}, { do: 'something' }]) {
      const { status, text } = await askPanel(http.url + path, {
        form: { ...form, key: randomUUID() },
        headers: { cookie },
      });

      t.is(status, 422, path);
      t.regex(text, /does not say what to do/);
    }
  }
});

test.serial(
  'GET /panel: what stops the work of others asks first, and what begins it does not',
  async (t) => {
    const { id } = await http.account();
    const cookie = await cookieOf(http, 'administrator');
    const shop = { platform: 'woocommerce', domain: `${randomUUID()}.example` };
    const site = await askPanel(`${http.url}/panel/a/${id}/sites`, { form: shop, headers: { cookie } });
    await signUp(http, 'operator');
    const pages = ['/panel/users', `/panel/a/${id}/settings`, new URL(site.to ?? '', http.url).pathname];

    for (const page of pages) {
      const { text } = await askPanel(http.url + page, { headers: { cookie } });

      const stopping = formsIn(text, page).filter(({ buttons }) =>
        buttons.some((one) => /Disable|Disconnect|Close/.test(one.text)),
      );
      t.true(stopping.length > 0, page);
      t.true(
        stopping.every(({ isAsked }) => isAsked),
        page,
      );
    }
    const { to } = await askPanel(`${http.url}/panel/a/${id}/settings/state`, {
      form: { do: 'disableAccount' },
      headers: { cookie },
    });
    const after = await askPanel(http.url + to, { headers: { cookie } });
    t.regex(after.text, /The account is disabled\./);
    const enabling = formsIn(after.text).find(({ buttons }) =>
      buttons.some((one) => /Enable/.test(one.text)),
    );
    t.false(enabling?.isAsked);
    t.notRegex(enabling?.html ?? '', /danger/);
  },
);
