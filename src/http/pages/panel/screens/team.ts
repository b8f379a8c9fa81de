import type { PanelUser } from '../../../../db/queries/accounts/panel-users.js';
import { type Html, html } from '../../../../domain/html.js';
import {
  changeMember,
  inviteAgain,
  inviteToTeam,
  requireMember,
  TEAM_ROLES,
} from '../../../../services/panel/team.js';
import { type Invited, panelUserList } from '../../../../services/panel/users.js';
import { choiceIn } from '../form.js';
import { select, table } from '../layout.js';
import { actionButton, alert, chosen, confirmed, fieldsOf, idPage, shownOf, shownOnce } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, actingApp, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';
import { PERSON_ACTS, personChanges, personPage, stateOf } from './person.js';

const show = accountScreen('get', '/team', 'own', (visit) => teamPage(visit));

/** `invited`: whose invitation is shown, on no other page. */
async function teamPage(
  visit: AccountVisit,
  refusal: Refusal | null = null,
  invited?: Invited,
): Promise<ScreenPage> {
  const { app, account, words, user } = visit;
  const { people: texts, panelUsers: users } = words;
  const form = invited === undefined ? visit.form : new URLSearchParams();
  const here = `/panel/a/${account.id}/team`;
  const input = fieldsOf(form, refusal);
  const found = await panelUserList(app, { account: account.id, ...idPage(visit) });
  const { shown, next } = shownOf(found, visit);
  const roles = TEAM_ROLES.map((role) => [role, words.roles[role]] as const);
  const list = table(words, texts.team, shown, [
    [words.name, ({ id, name }) => html`<a href="${here}/${id}"><bdi>${name}</bdi></a>`],
    [words.email, ({ email }) => html`<bdi dir="ltr">${email}</bdi>`],
    [texts.teamRole, ({ role }) => words.roles[role]],
    [words.state, (one) => stateOf(one, words)],
    [words.change, (one) => (one.email === user.email ? texts.you : actions(one, here, words))],
  ]);
  return {
    title: texts.team,
    main: html`${invited === undefined ? null : shownOnce(html`${users.once} <bdi dir="ltr">${invited.user.email}</bdi>`, [[null, invited.invitation]])}
<p>${texts.teamIntro}</p>
${list}
${next}
<h2>${texts.inviteOne}</h2>
${alert(refusal)}
<form method="post" action="${here}" class="sheet"><fieldset>
${input('email', words.email, { type: 'email', ltr: true, required: true })}
${input('name', words.name, { required: true, maxlength: 255 })}
${select('role', texts.teamRole, roles, form.get('role') ?? '')}
</fieldset><button>${users.create}</button></form>`,
  };
}

function actions({ id, isActive, isEnrolled, email }: PanelUser, team: string, words: Words): Html {
  const { panelUsers: texts, forms } = words;
  const here = `${team}/${id}`;
  if (!isActive) return actionButton(here, texts.enable, 'second', chosen('do', 'enable'));
  const disabling = { button: texts.disable, question: filled(forms.disableUserQuestion, { email }) };
  return html`<div class="row">${isEnrolled ? null : actionButton(here, texts.invite, 'second', chosen('do', 'invite'))}
${confirmed(here, disabling, chosen('do', 'disable'))}</div>`;
}

const create = accountForm('/team', 'own', teamPage, async (visit) => {
  const { account, form } = visit;
  const text = (name: string) => form.get(name)?.trim() ?? '';
  const request = { account: account.id, email: text('email'), name: text('name'), role: text('role') };
  return await teamPage(visit, null, await inviteToTeam(actingApp(visit), request));
});

const showOne = accountScreen('get', '/team/:member', 'own', (visit) => onePage(visit));

async function onePage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const list = `/panel/a/${visit.account.id}/team`;
  const member = await memberOf(visit);
  return personPage(visit, member, { here: `${list}/${member.id}`, list, refusal });
}

async function memberOf({ app, account, params }: AccountVisit): Promise<PanelUser> {
  return await requireMember(app, { account: account.id, user: params.member ?? '' });
}

const change = accountForm('/team/:member', 'own', onePage, async (visit) => {
  const { account, form, words } = visit;
  const app = actingApp(visit);
  const member = await memberOf(visit);
  const what = choiceIn(form, 'do', PERSON_ACTS, words);
  if (what === 'invite') return await teamPage(visit, null, await inviteAgain(app, member));
  const team = `/panel/a/${account.id}/team`;
  if (what === 'rename' || what === 'role') {
    await changeMember(app, member, personChanges(visit, member, what));
    return { to: `${team}/${member.id}`, notice: what === 'role' ? 'roleChanged' : 'saved' };
  }
  await changeMember(app, member, { isActive: what === 'enable' });
  return { to: team, notice: what === 'enable' ? 'userEnabled' : 'userDisabled' };
});

export const teamScreens = [show, create, showOne, change];
