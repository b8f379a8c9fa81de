import { findPanelUser, type PanelUser } from '../../../../db/queries/accounts/panel-users.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { ROLES } from '../../../../domain/panel-roles.js';
import { accountList, accountNamed } from '../../../../services/admin/accounts.js';
import {
  changePanelUser,
  createPanelUser,
  type Invited,
  invitePanelUser,
  panelUserList,
} from '../../../../services/panel/users.js';
import { choiceIn, filledFields } from '../form.js';
import { field, select, table } from '../layout.js';
import {
  actionButton,
  alert,
  chosen,
  confirmed,
  fieldsOf,
  idPage,
  queryWith,
  shownOf,
  shownOnce,
  suggestions,
} from '../parts.js';
import { actingApp, type ScreenPage, screen, serviceForm, type Visit } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';
import { PERSON_ACTS, personChanges, personPage, stateOf } from './person.js';

/** Accounts whose names the field suggests; others are found by what is typed. */
const SUGGESTED = 200;

const show = screen('get', '/users', 'administer', (visit) => usersPage(visit));

async function usersPage(
  visit: Visit,
  refusal: Refusal | null = null,
  invited?: Invited,
): Promise<ScreenPage> {
  const { app, words } = visit;
  const { panelUsers: texts } = words;
  const form = invited === undefined ? visit.form : new URLSearchParams();
  const input = fieldsOf(form, refusal);
  const email = visit.query.get('q')?.trim() ?? '';
  const found = await panelUserList(app, { ...(email === '' ? {} : { email }), ...idPage(visit) });
  const { shown, next } = shownOf(found, visit, (after) => queryWith(visit.query, { after }));
  // The least comes first, so that nobody makes an administrator by leaving the field as it is.
  const roles = ROLES.toReversed().map((role) => [role, words.roles[role]] as const);
  const accounts = await accountList(app, { limit: SUGGESTED + 1 });
  const suggested = accounts.slice(0, SUGGESTED);
  const hint =
    accounts.length > SUGGESTED
      ? `${texts.accountHint} ${filled(words.people.moreAccounts, { count: SUGGESTED })}`
      : texts.accountHint;
  const users = table(words, texts.title, shown, [
    [words.email, ({ email }) => html`<bdi dir="ltr">${email}</bdi>`],
    [words.name, ({ id, name }) => html`<a href="/panel/users/${id}"><bdi>${name}</bdi></a>`],
    [texts.role, ({ role }) => words.roles[role]],
    [texts.account, ({ account }) => html`<bdi>${account ?? words.none}</bdi>`],
    [words.state, (user) => stateOf(user, words)],
    [words.change, (user) => actions(user, words)],
  ]);
  return {
    title: texts.title,
    main: html`${invited === undefined ? null : shownOnce(html`${texts.once} <bdi dir="ltr">${invited.user.email}</bdi>`, [[null, invited.invitation]])}
<form method="get" class="row" role="search">${field('q', words.people.searchUsers, { type: 'search', value: email, ltr: true, maxlength: 255 })}
<button class="second">${words.lists.find}</button></form>
${users}
${next}
<h2>${words.newUser}</h2>
${alert(refusal)}
<form method="post" action="/panel/users" class="sheet"><fieldset>
${input('email', words.email, { type: 'email', ltr: true, required: true })}
${input('name', words.name, { required: true })}
${select('role', texts.role, roles, form.get('role') ?? '')}
${input('account', texts.account, { list: 'accounts', autocomplete: 'off', hint })}
${suggestions(
  'accounts',
  suggested.map(({ id, name }) => `${name} #${id}`),
)}
</fieldset><button>${texts.create}</button></form>`,
  };
}

function actions({ id, isActive, email }: PanelUser, { panelUsers: texts, forms }: Words): Html {
  const here = `/panel/users/${id}`;
  const disabling = { button: texts.disable, question: filled(forms.disableUserQuestion, { email }) };
  return html`<div class="row">${actionButton(here, texts.invite, 'second', chosen('do', 'invite'))}
${isActive ? confirmed(here, disabling, chosen('do', 'disable')) : actionButton(here, texts.enable, 'second', chosen('do', 'enable'))}</div>`;
}

const create = serviceForm('/users', 'administer', usersPage, async (visit) => {
  const { account, ...given } = filledFields(visit.form, ['email', 'name', 'role', 'account']);
  const app = actingApp(visit);
  const request = {
    ...given,
    ...(account === undefined ? {} : { account: await accountNamed(app, account) }),
  };
  return await usersPage(visit, null, await createPanelUser(app, request));
});

const showOne = screen('get', '/users/:id', 'administer', (visit) => onePage(visit));

async function onePage(visit: Visit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const person = await readPerson(visit);
  return personPage(visit, person, { here: `/panel/users/${person.id}`, list: '/panel/users', refusal });
}

/** The user of the path. @throws AppError `not_found` */
async function readPerson({ app, params }: Visit): Promise<PanelUser> {
  const id = Number(params.id);
  const found = Number.isSafeInteger(id) ? await findPanelUser(app.db, { id }) : null;
  if (found === null) throw notFound('user');
  return found;
}

const change = serviceForm('/users/:id', 'administer', onePage, async (visit) => {
  const person = await readPerson(visit);
  const user = String(person.id);
  const app = actingApp(visit);
  const what = choiceIn(visit.form, 'do', PERSON_ACTS, visit.words);
  if (what === 'invite') return await usersPage(visit, null, await invitePanelUser(app, { user }));
  if (what === 'rename' || what === 'role') {
    await changePanelUser(app, { user, ...personChanges(visit, person, what) });
    return { to: `/panel/users/${user}`, notice: what === 'role' ? 'roleChanged' : 'saved' };
  }
  await changePanelUser(app, { user, isActive: what === 'enable' });
  return { to: '/panel/users', notice: what === 'enable' ? 'userEnabled' : 'userDisabled' };
});

export const panelUserScreens = [show, create, showOne, change];
