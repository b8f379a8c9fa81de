import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf, invite, signUp } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

/** An account with an owner who has signed in, and a way to ask for pages of its team. */
async function team() {
  const { id } = await http.account();
  const owner = await signUp(http, 'owner', id);
  const ask = (path = '', form?: Record<string, string>, cookie = owner.accepted.cookie) =>
    askPanel(`${http.url}/panel/a/${id}/team${path}`, {
      ...(form === undefined ? {} : { form }),
      headers: { cookie },
    });
  return { id, owner, ask };
}

async function usersOf(account: number) {
  return await http.db.select(
    'SELECT id, email, role, is_active AS active FROM panel_users WHERE account_id = ? ORDER BY id',
    [account],
  );
}

test('POST /panel/a/:account/team: invites staff and owners, whose address is shown once', async (t) => {
  const { id, ask } = await team();
  for (const role of ['staff', 'owner']) {
    const email = `${randomUUID()}@shop.example`;

    const { status, text } = await ask('', { email, name: 'Dana', role });

    t.is(status, 200, text);
    const address = /\/panel\/invitation\/[\w-]+/.exec(text)?.[0] ?? '';
    t.is((await askPanel(http.url + address)).status, 200, address);
    const shown = await ask();
    t.true(shown.text.includes(email));
    t.false(shown.text.includes(address));
    t.like((await usersOf(id)).at(-1), { email, role });
  }
  const [entry] = await http.db.select(
    "SELECT COUNT(*) AS found FROM audit_log WHERE account_id = ? AND action = 'panel-users.create' AND actor_kind = 'panel'",
    [id],
  );
  t.is(Number(entry?.found), 2);
});

test('POST /panel/a/:account/team: 422 when the role is above owner', async (t) => {
  const { id, ask } = await team();
  for (const role of ['administrator', 'operator']) {
    const { status, text } = await ask('', { email: `${randomUUID()}@shop.example`, name: 'Dana', role });
    t.is(status, 422, text);
  }
  t.is((await usersOf(id)).length, 1);
});

test('POST /panel/a/:account/team/:member: disables and enables another, whose session ends', async (t) => {
  const { id, ask } = await team();
  const staff = await signUp(http, 'staff', id);

  const disabled = await ask(`/${staff.id}`, { do: 'disable' });
  const ended = await askPanel(`${http.url}/panel/profile`, { headers: { cookie: staff.accepted.cookie } });
  const enabled = await ask(`/${staff.id}`, { do: 'enable' });

  t.is(disabled.status, 303);
  t.regex(ended.to ?? '', /sign-in/);
  t.is(enabled.status, 303);
  t.is(Number((await usersOf(id)).at(-1)?.active), 1);
});

test('POST /panel/a/:account/team/:member: 404 when the user is of another account or of none', async (t) => {
  const { ask } = await team();
  const other = await team();
  const operator = await invite(http, 'operator');
  for (const id of [other.owner.id, operator.id, 0]) {
    for (const what of ['disable', 'enable', 'invite']) {
      t.is((await ask(`/${id}`, { do: what })).status, 404, `${what} ${id}`);
    }
  }
  t.is(Number((await usersOf(other.id))[0]?.active), 1);
});

test('POST /panel/a/:account/team/:member: 422 when it is the user itself or the last owner', async (t) => {
  const { id, owner, ask } = await team();
  const administrator = await cookieOf(http, 'administrator');

  const own = await ask(`/${owner.id}`, { do: 'disable' });
  const last = await ask(`/${owner.id}`, { do: 'disable' }, administrator);
  const second = await signUp(http, 'owner', id);
  const one = await ask(`/${owner.id}`, { do: 'disable' }, administrator);
  const both = await ask(`/${second.id}`, { do: 'disable' }, administrator);

  t.deepEqual([own.status, last.status, one.status, both.status], [422, 422, 303, 422]);
  t.true((await usersOf(id)).some(({ active }) => Number(active) === 1));
});

test('POST /panel/a/:account/team/:member: two owners who disable each other leave one', async (t) => {
  const { id, owner, ask } = await team();
  const second = await signUp(http, 'owner', id);

  await Promise.all([
    ask(`/${second.id}`, { do: 'disable' }),
    ask(`/${owner.id}`, { do: 'disable' }, second.accepted.cookie),
  ]);

  t.is((await usersOf(id)).filter(({ active }) => Number(active) === 1).length, 1);
});

test('POST /panel/a/:account/team/:member: a new invitation is 422 when the user has accepted one', async (t) => {
  const { id, ask } = await team();
  const enrolled = await signUp(http, 'staff', id);
  const waiting = await invite(http, 'staff', id);

  const refused = await ask(`/${enrolled.id}`, { do: 'invite' });
  const made = await ask(`/${waiting.id}`, { do: 'invite' });

  t.is(refused.status, 422);
  t.false(refused.text.includes('/panel/invitation/'));
  t.regex(made.text, /\/panel\/invitation\/[\w-]+/);
});
