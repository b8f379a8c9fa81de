import type { PanelUser } from '../../../../db/queries/accounts/panel-users.js';
import { type Html, html } from '../../../../domain/html.js';
import { ROLES } from '../../../../domain/panel-roles.js';
import {
  changePanelUser,
  createPanelUser,
  type Invited,
  invitePanelUser,
  panelUserList,
} from '../../../../services/panel/users.js';
import { choiceIn, filledFields, type Refusal } from '../form.js';
import { select, table } from '../layout.js';
import { actionButton, alert, chosen, confirmed, fieldsOf, idPage, shownOf, shownOnce } from '../parts.js';
import { actingApp, type ScreenPage, screen, serviceForm, type Visit } from '../screen.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';

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
  const { shown, next } = shownOf(await panelUserList(app, idPage(visit)), visit);
  const roles = ROLES.map((role) => [role, words.roles[role]] as const);
  const users = table(words, texts.title, shown, [
    [words.email, ({ email }) => html`<bdi dir="ltr">${email}</bdi>`],
    [words.name, ({ name }) => html`<bdi>${name}</bdi>`],
    [texts.role, ({ role }) => words.roles[role]],
    [texts.account, ({ account }) => html`<bdi>${account ?? words.none}</bdi>`],
    [
      words.state,
      ({ isActive, isEnrolled }) => (isActive ? (isEnrolled ? words.active : texts.invited) : words.disabled),
    ],
    [words.change, (user) => actions(user, words)],
  ]);
  return {
    title: texts.title,
    main: html`${invited === undefined ? null : shownOnce(html`${texts.once} <bdi dir="ltr">${invited.user.email}</bdi>`, [[null, invited.invitation]])}
${users}
${next}
<h2>${words.newUser}</h2>
${alert(refusal)}
<form method="post" action="/panel/users" class="sheet"><fieldset>
${input('email', words.email, { type: 'email', ltr: true, required: true })}
${input('name', words.name, { required: true })}
${select('role', texts.role, roles, form.get('role') ?? '')}
${input('account', texts.account, { ltr: true, inputmode: 'numeric', hint: texts.accountHint })}
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
  const request = { ...given, ...(account === undefined ? {} : { account: Number(account) }) };
  return await usersPage(visit, null, await createPanelUser(actingApp(visit), request));
});

const change = serviceForm('/users/:id', 'administer', usersPage, async (visit) => {
  const user = visit.params.id ?? '';
  const app = actingApp(visit);
  const what = choiceIn(visit.form, 'do', ['invite', 'disable', 'enable'], visit.words);
  if (what === 'invite') return await usersPage(visit, null, await invitePanelUser(app, { user }));
  await changePanelUser(app, { user, isActive: what === 'enable' });
  return { to: '/panel/users', notice: what === 'enable' ? 'userEnabled' : 'userDisabled' };
});

export const panelUserScreens = [show, create, change];
