import test from 'ava';
import type { Role } from '../../../src/domain/panel-roles.js';
import { openSession } from '../../../src/services/panel/sessions.js';
import { changePanelUser } from '../../../src/services/panel/users.js';
import { TEST_ACTOR } from '../../support/actor.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf, cookieWith, invite, signUp } from '../../support/panel.js';
import { formsIn } from '../../support/panel-forms.js';

const http = await startHttp();
test.after.always(() => http.close());

/** Asks for a page, or sends a form to it, with a cookie. */
function ask(cookie: string, path: string, form?: Record<string, string>) {
  return askPanel(`${http.url}/panel${path}`, {
    ...(form === undefined ? {} : { form }),
    headers: { cookie },
  });
}

async function cookieOfUser(id: number): Promise<string> {
  return cookieWith(await openSession(http, id, { address: '127.0.0.1', browser: 'test' }));
}

/** Name and role of a user, and the audit's entries about it. */
async function storedOf(id: number) {
  const [user] = await http.db.select('SELECT name, role FROM panel_users WHERE id = ?', [id]);
  const audit = await http.db.select(
    `SELECT action, values_before AS was, values_after AS now FROM audit_log
     WHERE target_kind = 'panel-user' AND target_id = ? AND action = 'panel-users.change' ORDER BY id`,
    [String(id)],
  );
  return { name: user?.name, role: user?.role, audit };
}

// First: the others leave administrators.
test.serial('POST /panel/users/:id: nobody takes the own administrator role, or the last one', async (t) => {
  const one = await signUp(http, 'administrator');
  const cookie = await cookieOfUser(one.id);

  const self = await ask(cookie, `/users/${one.id}`, { do: 'role', role: 'operator' });
  const page = await ask(cookie, `/users/${one.id}`);
  const last = changePanelUser(
    { db: http.db, actor: TEST_ACTOR },
    { user: String(one.id), role: 'operator' },
  );

  t.is(self.status, 422);
  t.regex(self.text, /Nobody changes this about themselves/);
  t.false(formsIn(page.text).some(({ fields }) => fields.some(([name]) => name === 'role')));
  await t.throwsAsync(last, { message: /role must stay/ });
  const two = await signUp(http, 'administrator');
  const cookieOfTwo = await cookieOfUser(two.id);
  const both = await Promise.all([
    ask(cookie, `/users/${two.id}`, { do: 'role', role: 'operator' }),
    ask(cookieOfTwo, `/users/${one.id}`, { do: 'role', role: 'operator' }),
  ]);
  const [done = 0, refused = 0] = both.map(({ status }) => status).toSorted();
  t.is(done, 303);
  // The second asks while the first is at work, or after it, when its session has ended.
  t.true([401, 422].includes(refused), String(refused));
  const rows = await http.db.select('SELECT role FROM panel_users WHERE id IN (?, ?)', [one.id, two.id]);
  t.deepEqual(rows.map(({ role }) => role).toSorted(), ['administrator', 'operator']);
});

/** Where a user is changed: by an administrator, and by an owner of its account. */
const PLACES: {
  title: string;
  as: Role;
  from: Role;
  to: Role;
  path: (account: number, id: number) => string;
}[] = [
  {
    title: 'POST /panel/users/:id',
    as: 'administrator',
    from: 'operator',
    to: 'administrator',
    path: (_account, id) => `/users/${id}`,
  },
  {
    title: 'POST /panel/a/:account/team/:member',
    as: 'owner',
    from: 'staff',
    to: 'owner',
    path: (account, id) => `/a/${account}/team/${id}`,
  },
];

for (const { title, as, from, to, path } of PLACES) {
  /** A signed-in user of the lower role, the page that changes it, and somebody who may. */
  const opened = async () => {
    const { id: account } = await http.account();
    const isOfAccount = as === 'owner';
    const changer = await signUp(http, as, isOfAccount ? account : undefined);
    const { cookie } = changer.accepted;
    const person = await signUp(http, from, isOfAccount ? account : undefined);
    const page = path(account, person.id);
    return { account, cookie, person, page, send: (form: Record<string, string>) => ask(cookie, page, form) };
  };

  test.serial(`${title}: changes the name, and says so in the audit`, async (t) => {
    const { person, page, send, cookie } = await opened();

    const { status, to: next } = await send({ do: 'rename', name: ' Dana Levi ', was: 'name=Noa' });

    t.is(status, 303);
    const shown = await ask(cookie, new URL(next ?? '', http.url).pathname.replace('/panel', ''));
    t.regex(shown.text, /<h1>Dana Levi<\/h1>/);
    t.is(new URL(next ?? '', http.url).pathname, `/panel${page}`);
    const { name, audit } = await storedOf(person.id);
    t.is(name, 'Dana Levi');
    t.is(audit.length, 1);
    t.is((await send({ do: 'rename', name: '', was: 'name=Dana+Levi' })).status, 422);
  });

  test.serial(
    `${title}: a role that gives rights is one click, one that takes them asks first`,
    async (t) => {
      const { person, page, send, cookie } = await opened();
      const roleForm = async () => {
        const { text } = await ask(cookie, page);
        return formsIn(text, `/panel${page}`).filter(({ fields }) =>
          fields.some(([name]) => name === 'role'),
        );
      };
      const [up, ...none] = await roleForm();

      const raised = await send({ do: 'role', role: to });
      const ended = await ask(person.accepted.cookie, '/profile');
      const [down] = await roleForm();
      const lowered = await send({ do: 'role', role: from });

      t.is(none.length, 0, 'the other role alone');
      t.false(up?.isAsked);
      t.true(down?.isAsked);
      t.true(down?.html.includes('danger'));
      t.deepEqual([raised.status, lowered.status], [303, 303]);
      t.regex(ended.to ?? '', /sign-in/);
      const { role, audit } = await storedOf(person.id);
      t.is(role, from);
      t.is(audit.length, 2);
    },
  );

  test.serial(`${title}: 422 when the role is of another kind, or none`, async (t) => {
    const { person, send } = await opened();
    const others = as === 'owner' ? ['operator', 'administrator'] : ['owner', 'staff'];

    for (const role of [...others, 'nonsense', ''])
      t.is((await send({ do: 'role', role })).status, 422, role);

    t.is((await storedOf(person.id)).role, from);
  });
}

test.serial('POST /panel/a/:account/team/:member: an owner stays, and others are missing', async (t) => {
  const { id: account } = await http.account();
  const { id: elsewhere } = await http.account();
  const owner = await signUp(http, 'owner', account);
  const stranger = await invite(http, 'staff', elsewhere);
  const administrator = await cookieOf(http, 'administrator');
  const path = `/a/${account}/team`;

  const last = await ask(administrator, `${path}/${owner.id}`, { do: 'role', role: 'staff' });
  const other = await ask(owner.accepted.cookie, `${path}/${stranger.id}`, { do: 'rename', name: 'Mine' });
  const shown = await ask(owner.accepted.cookie, `${path}/${stranger.id}`);

  t.deepEqual([last.status, other.status, shown.status], [422, 404, 404]);
  t.is((await storedOf(owner.id)).role, 'owner');
  t.is((await storedOf(stranger.id)).name, 'Noa');
});
