import { type Html, html } from '../../../../domain/html.js';
import { may } from '../../../../domain/panel-roles.js';
import { LANGUAGES } from '../../../../domain/recipient-words/language.js';
import { changeAccount, setAccountDisabled } from '../../../../services/admin/accounts.js';
import { changedIn, edited, onlyChanged, type Present } from '../edited.js';
import { choiceIn } from '../form.js';
import { select } from '../layout.js';
import { actionButton, alert, checkbox, chosen, confirmed, fieldsOf } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, actingApp, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';
import { WORDS } from '../words/words.js';

const show = accountScreen('get', '/settings', 'own', (visit) => settingsPage(visit));

/** Fields that recipients see of the merchant, by the names of the use case. */
const LOOKS = [
  'name',
  'email',
  'companyName',
  'companyLogo',
  'companyColor',
  'supportEmail',
  'supportPhone',
  'phone',
] as const;
/** Further contacts on the tracking page, as it reads them. */
const CONTACTS = ['whatsapp', 'website', 'hours'] as const;
const CHOICES = ['locale', 'labelMethod', 'labelType'] as const;
const SWITCHES = ['displayOrderNumberBarcode', 'enableSortByWarehouse'] as const;
const NAMES = [...LOOKS, ...CONTACTS, ...CHOICES, ...SWITCHES] as const;

function presentOf(account: AccountVisit['account']): Present {
  const now = new URLSearchParams();
  for (const name of [...LOOKS, ...CHOICES]) now.set(name, account[name]);
  for (const name of CONTACTS) now.set(name, contactOf(account, name));
  for (const name of SWITCHES) if (account[name]) now.set(name, 'on');
  return { names: NAMES, now };
}

function contactOf({ trackerPageContactInfo: info }: AccountVisit['account'], name: string): string {
  const value = info === null ? undefined : Object.entries(info).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}

function settingsPage(
  { account, words, user, form: sent }: AccountVisit,
  refusal: Refusal | null = null,
): ScreenPage {
  const { settings: texts, licenses } = words;
  const here = `/panel/a/${account.id}/settings`;
  const { form, was } = edited(sent, presentOf(account));
  const input = fieldsOf(form, refusal);
  const looks = LOOKS.map((name) =>
    input(name, texts[name], {
      required: name === 'name' || name === 'email',
      ltr: name !== 'name' && name !== 'companyName',
    }),
  );
  const contacts = CONTACTS.map((name) =>
    input(name, texts[name], { ltr: name !== 'hours', maxlength: 500 }),
  );
  const languages = LANGUAGES.map((one) => [one, WORDS[one].languageName] as const);
  const { builtin, carrier, thermal, A4 } = licenses.choices;
  const choice = (name: string, label: string, options: Record<string, string>) =>
    select(name, label, Object.entries(options), form.get(name) ?? '');
  const switches = SWITCHES.map((name) =>
    checkbox(name, texts[name], { value: 'on', isChecked: form.has(name) }),
  );
  return {
    title: texts.title,
    main: html`${alert(refusal)}
<form method="post" action="${here}" class="sheet">${was}<fieldset>${looks}
${select('locale', texts.locale, languages, form.get('locale') ?? '')}
</fieldset>
<fieldset><legend>${texts.contacts}</legend>${contacts}</fieldset>
<fieldset><legend>${licenses.labels}</legend>
${choice('labelMethod', licenses.fields.labelMethod, { builtin, carrier })}
${choice('labelType', texts.labelType, { thermal, A4 })}
${switches}
</fieldset><button>${words.save}</button></form>
${may(user.role, 'administer') ? stops(here, account, words) : null}`,
  };
}

/** A button that stops the merchant's work asks first. */
function stops(
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
  const text = (name: string) => form.get(name)?.trim() ?? '';
  const texts = Object.fromEntries([...LOOKS, ...CHOICES].map((name) => [name, text(name)]));
  const switches = Object.fromEntries(SWITCHES.map((name) => [name, form.has(name)]));
  const contacts = CONTACTS.filter((name) => changed.has(name)).map((name) => [name, text(name)]);
  await changeAccount(actingApp(visit), {
    id: account.id,
    ...onlyChanged(changed, { ...texts, ...switches }),
    ...(contacts.length === 0 ? {} : { contacts: Object.fromEntries(contacts) }),
  });
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

export const settingsScreens = [show, save, state];
