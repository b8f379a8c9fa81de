import { type Html, html } from '../../../../domain/html.js';
import { may } from '../../../../domain/panel-roles.js';
import { LANGUAGES } from '../../../../domain/recipient-words/language.js';
import {
  accountList,
  changeAccount,
  createAccount,
  setAccountDisabled,
} from '../../../../services/admin/accounts.js';
import { changedIn, edited, type Present } from '../edited.js';
import { choiceIn, filledFields, type Refusal } from '../form.js';
import { select } from '../layout.js';
import { actionButton, alert, chosen, confirmed, fieldsOf, idPage, shownOf } from '../parts.js';
import {
  type AccountVisit,
  accountForm,
  accountScreen,
  actingApp,
  type ScreenPage,
  screen,
  serviceForm,
  type Visit,
} from '../screen.js';
import type { Words } from '../words/en.js';
import { WORDS } from '../words/words.js';
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

const show = accountScreen('get', '/settings', 'own', (visit) => settingsPage(visit));

/** What recipients see of the merchant, by the names of the use case. */
const LOOKS = [
  'name',
  'email',
  'companyName',
  'companyLogo',
  'companyColor',
  'supportEmail',
  'supportPhone',
] as const;

function presentOf(account: AccountVisit['account']): Present {
  const names = [...LOOKS, 'locale', 'labelType'] as const;
  const now = new URLSearchParams();
  for (const name of names) now.set(name, account[name]);
  return { names, now };
}

function settingsPage(
  { account, words, user, form: sent }: AccountVisit,
  refusal: Refusal | null = null,
): ScreenPage {
  const { settings: texts } = words;
  const here = `/panel/a/${account.id}/settings`;
  const { form, was } = edited(sent, presentOf(account));
  const input = fieldsOf(form, refusal);
  const inputs = LOOKS.map((name) =>
    input(name, texts[name], {
      required: name === 'name' || name === 'email',
      ltr: name !== 'name' && name !== 'companyName',
    }),
  );
  const languages = LANGUAGES.map((one) => [one, WORDS[one].languageName] as const);
  const types = Object.entries({ thermal: 'Thermal', A4: 'A4' });
  return {
    title: texts.title,
    main: html`${alert(refusal)}
<form method="post" action="${here}" class="sheet">${was}<fieldset>${inputs}
${select('locale', texts.locale, languages, form.get('locale') ?? '')}
${select('labelType', texts.labelType, types, form.get('labelType') ?? '')}
</fieldset><button>${words.save}</button></form>
${may(user.role, 'administer') ? switches(here, account, words) : null}`,
  };
}

/** What stops the merchant's work asks first. */
function switches(
  here: string,
  { enableApi, disabledAt }: AccountVisit['account'],
  { settings: texts, forms }: Words,
): Html {
  const to = `${here}/state`;
  const closing = { button: texts.closeApi, question: forms.closeApiQuestion };
  const disabling = { button: texts.disableAccount, question: forms.disableAccountQuestion };
  return html`<div class="actions">
${enableApi ? confirmed(to, closing, chosen('do', 'close')) : actionButton(to, texts.openApi, 'second', chosen('do', 'open'))}
${disabledAt === null ? confirmed(to, disabling, chosen('do', 'disableAccount')) : actionButton(to, texts.enableAccount, 'first', chosen('do', 'enableAccount'))}
</div>`;
}

const save = accountForm('/settings', 'own', settingsPage, async (visit) => {
  const { account, form, words } = visit;
  const changed = changedIn(form, presentOf(account), words);
  const given = Object.fromEntries([...changed].map((name) => [name, form.get(name)?.trim()]));
  await changeAccount(actingApp(visit), { id: account.id, ...given });
  return { to: `/panel/a/${account.id}/settings`, notice: 'saved' };
});

const STATES = {
  open: 'apiOpened',
  close: 'apiClosed',
  disableAccount: 'accountDisabled',
  enableAccount: 'accountEnabled',
} as const;

const state = accountForm('/settings/state', 'administer', settingsPage, async (visit) => {
  const { account, form, words } = visit;
  const app = actingApp(visit);
  const what = choiceIn(form, 'do', ['open', 'close', 'disableAccount', 'enableAccount'], words);
  if (what === 'open' || what === 'close') {
    await changeAccount(app, { id: account.id, enableApi: what === 'open' });
  } else {
    await setAccountDisabled(app, { id: account.id, isDisabled: what === 'disableAccount' });
  }
  return { to: `/panel/a/${account.id}/settings`, notice: STATES[what] };
});

export const accountScreens = [list, create, show, save, state];
