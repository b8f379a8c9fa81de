import type { PanelUser } from '../../../../db/queries/accounts/panel-users.js';
import { type Html, html } from '../../../../domain/html.js';
import { losesRights, type Role, rolesInstead } from '../../../../domain/panel-roles.js';
import { changedIn, edited, type Present } from '../edited.js';
import { choiceIn } from '../form.js';
import { facts } from '../layout.js';
import { actionButton, alert, chosen, confirmed, fieldsOf } from '../parts.js';
import type { ScreenPage, Visit } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';

/** Acts on a user of the panel. */
export const PERSON_ACTS = ['invite', 'disable', 'enable', 'rename', 'role'] as const;

/** A user of the panel: its name, and what else it could be. `here`: where its forms go; `list`: where it is listed. */
export function personPage(
  { form: sent, words, user: self }: Pick<Visit, 'form' | 'words' | 'user'>,
  person: PanelUser,
  { here, list, refusal }: { here: string; list: string; refusal: Refusal | null },
): ScreenPage {
  const { people: texts, panelUsers: users } = words;
  const { form, was } = edited(sent, presentOf(person));
  const input = fieldsOf(form, refusal);
  return {
    title: person.name,
    main: html`${alert(refusal)}
${facts([
  [words.email, html`<bdi dir="ltr">${person.email}</bdi>`],
  [users.role, words.roles[person.role]],
  [users.account, person.account === null ? null : html`<bdi>${person.account}</bdi>`],
  [words.state, stateOf(person, words)],
])}
<form method="post" action="${here}" class="sheet">${was}${chosen('do', 'rename')}<fieldset>
${input('name', words.name, { required: true, maxlength: 255 })}
</fieldset><button>${words.save}</button></form>
<h2>${users.role}</h2>
${person.email === self.email ? html`<p>${texts.ownRole}</p>` : html`<div class="actions">${rolesInstead(person.role).map((role) => roleForm(person, role, here, words))}</div>`}
<p><a href="${list}">${words.back}</a></p>`,
  };
}

/** Whether a user may sign in, and has. */
export function stateOf({ isActive, isEnrolled }: PanelUser, words: Words): string {
  if (!isActive) return words.disabled;
  return isEnrolled ? words.active : words.panelUsers.invited;
}

/** A role with fewer rights asks first. */
function roleForm({ email, role: from }: PanelUser, to: Role, here: string, words: Words): Html {
  const { people: texts, roles } = words;
  const button = filled(texts.makeRole, { role: roles[to] });
  const fields = html`${chosen('do', 'role')}${chosen('role', to)}`;
  if (!losesRights(from, to)) return actionButton(here, button, 'second', fields);
  const question = filled(texts.roleQuestion, { email, from: roles[from], to: roles[to] });
  return confirmed(here, { button, question }, fields);
}

/** Changes in a form of {@link personPage}. */
export function personChanges(
  { form, words }: Pick<Visit, 'form' | 'words'>,
  person: PanelUser,
  what: 'rename' | 'role',
): { name?: string | undefined; role?: Role } {
  if (what === 'role') return { role: choiceIn(form, 'role', rolesInstead(person.role), words) };
  return changedIn(form, presentOf(person), words).has('name') ? { name: form.get('name')?.trim() } : {};
}

function presentOf({ name }: PanelUser): Present {
  return { names: ['name'], now: new URLSearchParams({ name }) };
}
