import { type Html, html } from '../../../../domain/html.js';
import { may } from '../../../../domain/panel-roles.js';
import { accountList, createAccount } from '../../../../services/admin/accounts.js';
import { filledFields } from '../form.js';
import { alert, fieldsOf, idPage, shownOf } from '../parts.js';
import { actingApp, type ScreenPage, screen, serviceForm, type Visit } from '../screen.js';
import type { Refusal } from '../told.js';
import { accountsTable } from './accounts-table.js';
import { searchOf } from './found-shipments.js';
import { foundEverywhere, searchBox } from './search-all.js';

const list = screen('get', '/accounts', 'operate', (visit) => accountsPage(visit));

async function accountsPage(visit: Visit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, words, user } = visit;
  const { accounts: texts } = words;
  const found = await foundEverywhere(visit);
  const { shown, next } = shownOf(found === null ? await accountList(app, idPage(visit)) : [], visit);
  return {
    title: texts.title,
    main: html`${searchBox(words, searchOf(visit.query))}
${found ?? accountsTable(words, texts.title, shown)}
${next}
${may(user.role, 'administer') ? newAccount(visit, refusal) : null}`,
  };
}

function newAccount({ words, form }: Visit, refusal: Refusal | null): Html {
  const { accounts: texts } = words;
  const input = fieldsOf(form, refusal);
  return html`<h2>${texts.new}</h2>
${alert(refusal)}
<form method="post" action="/panel/accounts" class="sheet"><fieldset>
${input('name', words.name, { required: true, maxlength: 255 })}
${input('email', words.email, { type: 'email', ltr: true, required: true })}
</fieldset><button>${words.create}</button></form>`;
}

const create = serviceForm('/accounts', 'administer', accountsPage, async (visit) => {
  const { id } = await createAccount(actingApp(visit), filledFields(visit.form, ['name', 'email']));
  return { to: `/panel/a/${id}/settings`, notice: 'created' };
});

export const accountScreens = [list, create];
