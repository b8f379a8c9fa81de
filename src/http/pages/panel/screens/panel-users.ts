import type { PanelUser } from '../../../../db/queries/accounts/panel-users.js';
import { AppError, type FieldErrors } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { ROLES } from '../../../../domain/panel-roles.js';
import {
  changePanelUser,
  createPanelUser,
  type Invited,
  invitePanelUser,
  panelUserList,
} from '../../../../services/panel/users.js';
import { actingApp } from '../actor.js';
import { filledFields } from '../form.js';
import { code, field, row, select, table } from '../layout.js';
import { type ScreenPage, screen, type Visit } from '../screen.js';
import type { Words } from '../words/en.js';

const MOST = 1000;

const show = screen('get', '/users', 'administer', (visit) => usersPage(visit));

async function usersPage(
  { app, words, form }: Visit,
  errors: FieldErrors = {},
  invited?: Invited,
): Promise<ScreenPage> {
  const { panelUsers: texts } = words;
  const users = await panelUserList(app, { limit: MOST });
  const value = (name: string) => (invited === undefined ? (form.get(name) ?? '') : '');
  const roles = ROLES.map((role) => [role, words.roles[role]] as const);
  return {
    title: texts.title,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    main: html`${invited === undefined ? null : invitation(invited, words)}
${table(
  texts.title,
  [words.signIn.email, words.form.name, texts.role, texts.account, texts.state, texts.change],
  users.map((user) => line(user, words)),
  words,
)}
<h2>${texts.new}</h2>
<form method="post" action="/panel/users" class="sheet"><fieldset>
${field('email', words.signIn.email, { type: 'email', ltr: true, required: true, value: value('email'), error: errors.email?.[0] })}
${field('name', words.form.name, { required: true, value: value('name'), error: errors.name?.[0] })}
${select('role', texts.role, roles, value('role'))}
${field('account', texts.account, { ltr: true, inputmode: 'numeric', value: value('account'), hint: texts.accountHint, error: errors.account?.[0] })}
</fieldset><button>${texts.create}</button></form>`,
  };
}

function line(user: PanelUser, words: Words): Html {
  const { panelUsers: texts } = words;
  const state = user.isActive ? (user.isEnrolled ? texts.active : texts.invited) : texts.disabled;
  return row(
    html`<bdi dir="ltr">${user.email}</bdi>`,
    html`<bdi>${user.name}</bdi>`,
    words.roles[user.role],
    html`<bdi>${user.account ?? words.none}</bdi>`,
    state,
    html`<form method="post" action="/panel/users/${user.id}" class="row"><button name="do" value="invite" class="second">${texts.invite}</button>
<button name="do" value="${user.isActive ? 'disable' : 'enable'}" class="second">${user.isActive ? texts.disable : texts.enable}</button></form>`,
  );
}

function invitation({ user, invitation: address }: Invited, { panelUsers: texts }: Words): Html {
  return html`<section class="notice" role="status"><p>${texts.once} <bdi dir="ltr">${user.email}</bdi></p>
<p>${code(address)}</p></section>`;
}

const create = screen('post', '/users', 'administer', async (visit) => {
  const { account, ...given } = filledFields(visit.form, ['email', 'name', 'role', 'account']);
  const request = { ...given, ...(account === undefined ? {} : { account: Number(account) }) };
  try {
    return await usersPage(visit, {}, await createPanelUser(actingApp(visit), request));
  } catch (error) {
    if (error instanceof AppError && error.fields !== undefined) return await usersPage(visit, error.fields);
    throw error;
  }
});

const change = screen('post', '/users/:id', 'administer', async (visit) => {
  const user = visit.params.id ?? '';
  const app = actingApp(visit);
  const what = visit.form.get('do');
  if (what === 'invite') return await usersPage(visit, {}, await invitePanelUser(app, { user }));
  if (what === 'disable' || what === 'enable') {
    await changePanelUser(app, { user, isActive: what === 'enable' });
  }
  return { to: '/panel/users', notice: 'saved' };
});

export const panelUserScreens = [show, create, change];
