import { findCompany } from '../../../../db/queries/accounts/companies.js';
import { findLicenseHead } from '../../../../db/queries/accounts/licenses.js';
import { AppError, notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { checkLicense } from '../../../../services/admin/check-license.js';
import { companyList } from '../../../../services/admin/companies.js';
import {
  changeLicense,
  createLicense,
  licenseList,
  type ShownLicense,
  showLicense,
} from '../../../../services/admin/licenses.js';
import { describeSettings, SealError, type SettingDescription } from '../../../../services/admin/settings.js';
import { changedIn, edited, type Present } from '../edited.js';
import { choiceIn, filledFields, type Refusal } from '../form.js';
import { code, field, moment, select, table } from '../layout.js';
import { actionButton, alert, chosen, confirmed, fieldsOf, idPage, shownOf } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, actingApp, type ScreenPage } from '../screen.js';
import type { Words } from '../words/en.js';

/** Companies to choose from. */
const MOST_COMPANIES = 1000;
/** Fields of a license beside its carrier's settings, by the names of the use case. */
const FIELDS = [
  'name',
  'orderPrefix',
  'collectStreet',
  'collectNumber',
  'collectCity',
  'collectCompany',
] as const;

const list = accountScreen('get', '/licenses', 'administer', async (visit) => {
  const { app, account, words } = visit;
  const { licenses: texts } = words;
  const [heads, companies] = await Promise.all([
    licenseList(app, { account: account.id, ...idPage(visit) }),
    companyList(app, { limit: MOST_COMPANIES }),
  ]);
  const { shown, next } = shownOf(heads, visit);
  const licenses = table(words, texts.title, shown, [
    [texts.name, ({ id, name }) => html`<a href="licenses/${id}"><bdi>${name}</bdi></a>`],
    [texts.key, ({ key }) => code(key)],
    [words.carrier, ({ provider }) => code(provider)],
    [words.state, ({ isActive }) => (isActive ? words.active : words.disabled)],
    [texts.expires, ({ expiresAt }) => moment(expiresAt, words) ?? words.none],
  ]);
  const options = companies.map(({ id, name }) => [String(id), name] as const);
  return {
    title: texts.title,
    main: html`${licenses}
${next}
<h2>${texts.new}</h2>
<form method="get" action="licenses/new" class="row">${select('company', texts.company, options)}<button>${words.next}</button></form>`,
  };
});

/** What the form is about: a license, or a company for a new one. */
interface Subject {
  license: ShownLicense | null;
  company: number;
  settings: readonly SettingDescription[];
}

async function subjectOf(visit: AccountVisit): Promise<Subject> {
  const { app, params, query, form } = visit;
  if (params.license !== undefined) {
    const license = await ownLicense(visit, params.license);
    const settings = describeSettings(app.carriers(license.provider));
    return { license, company: license.company.id, settings };
  }
  const id = Number(form.get('company') ?? query.get('company'));
  const company = Number.isSafeInteger(id) ? await findCompany(app.db, id) : null;
  if (company === null) throw notFound('company');
  return { license: null, company: id, settings: describeSettings(app.carriers(company.carrier.provider)) };
}

/** @throws AppError `not_found` for an unknown license, or another account's */
async function ownLicense({ app, account }: AccountVisit, id: string): Promise<ShownLicense> {
  const head = /^[1-9]\d{0,15}$/.test(id) ? await findLicenseHead(app.db, id) : null;
  if (head?.accountId !== account.id) throw notFound('license');
  return await showLicense(app, { license: id }).catch((error: unknown) => {
    if (error instanceof SealError) throw new AppError('not_supported', error.message);
    throw error;
  });
}

async function formPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { account, words } = visit;
  const { licenses: texts } = words;
  const subject = await subjectOf(visit);
  const { license, company, settings } = subject;
  const { form, was } =
    license === null ? { form: visit.form, was: null } : edited(visit.form, presentOf(subject));
  const input = fieldsOf(form, refusal);
  const here = `/panel/a/${account.id}/licenses/${license?.id ?? 'new'}`;
  const inputs = FIELDS.map((name) => input(name, texts[name], { required: name === 'name' }));
  return {
    title: license?.name ?? texts.new,
    main: html`${license === null ? null : html`<p>${texts.key} ${code(license.key)}</p>`}
<form method="post" action="${here}" class="sheet">${was}
<input type="hidden" name="company" value="${company}">
${alert(refusal)}
<fieldset>${inputs}</fieldset>
<fieldset><legend>${texts.settings}</legend>${settings.map((one) => setting({ form, words }, one, license, refusal?.fields ?? {}))}</fieldset>
<button>${words.save}</button></form>
${license === null ? null : switchForm(here, license.isActive, words)}`,
  };
}

function setting(
  { form, words }: Pick<AccountVisit, 'form' | 'words'>,
  { name, isSecret, isRequired, rule, meaning }: SettingDescription,
  license: ShownLicense | null,
  errors: Refusal['fields'],
): Html {
  const { licenses: texts } = words;
  const isSet = license?.secrets?.includes(name) ?? false;
  return field(`s.${name}`, name, {
    ltr: true,
    type: isSecret ? 'password' : 'text',
    value: isSecret ? '' : (form.get(`s.${name}`) ?? ''),
    hint: isSecret && isSet ? texts.isSet : [meaning, rule].filter(Boolean).join(' '),
    error: (errors[`settings.${name}`] ?? errors[`s.${name}`])?.[0],
    required: isRequired && !isSet,
    autocomplete: isSecret ? 'new-password' : 'off',
  });
}

function switchForm(here: string, isActive: boolean, { licenses: texts, forms }: Words): Html {
  const disabling = { button: texts.disable, question: forms.disableLicenseQuestion };
  return html`<div class="actions">
<form method="post" action="${here}/check"><button class="second">${texts.check}</button></form>
${isActive ? confirmed(here, disabling, chosen('active', 'false')) : actionButton(here, texts.enable, 'second', chosen('active', 'true'))}
</div>`;
}

/** Asks the carrier whether address and credentials hold. */
const check = accountScreen('post', '/licenses/:license/check', 'administer', async (visit) => {
  const { id } = await ownLicense(visit, visit.params.license ?? '');
  const { app, account, words, whileWaiting } = visit;
  const { result, answer } = await whileWaiting(() => checkLicense(app, { license: String(id) }));
  const { licenses: texts } = words;
  return {
    title: texts.check,
    main: html`<p class="${result === 'holds' ? 'notice' : 'error'}" role="status"><bdi dir="ltr" lang="en">${answer}</bdi></p>
<p><a href="/panel/a/${account.id}/licenses/${id}">${words.back}</a></p>`,
  };
});

const show = accountScreen('get', '/licenses/:license', 'administer', (visit) => formPage(visit));
const showNew = accountScreen('get', '/licenses/new', 'administer', (visit) => formPage(visit));

/** The carrier's settings as the form has them. An empty secret keeps the stored one. */
function settingsOf({ form }: AccountVisit, settings: readonly SettingDescription[]) {
  const set: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  const unset: string[] = [];
  for (const { name, isSecret } of settings) {
    const value = form.get(`s.${name}`)?.trim() ?? '';
    if (value !== '') (isSecret ? secrets : set)[name] = value;
    else if (!isSecret) unset.push(name);
  }
  return { set, secrets, unset };
}

const create = accountForm('/licenses/new', 'administer', formPage, async (visit) => {
  const { account, form } = visit;
  const { company, settings } = await subjectOf(visit);
  const { set, secrets } = settingsOf(visit, settings);
  const given = { ...filledFields(form, FIELDS), account: account.id, company, set, secrets };
  const { id } = await createLicense(actingApp(visit), given);
  return { to: `/panel/a/${account.id}/licenses/${id}`, notice: 'saved' };
});

/** What the license has now, by the names of the form. */
function presentOf({ license, settings }: Subject): Present {
  const now = new URLSearchParams();
  for (const name of FIELDS)
    now.set(name, license?.[name === 'collectNumber' ? 'collectStreetNumber' : name] ?? '');
  const shown = settings.filter(({ isSecret }) => !isSecret);
  for (const { name } of shown) now.set(`s.${name}`, storedSetting(license, name));
  return { names: [...FIELDS, ...shown.map(({ name }) => `s.${name}`)], now };
}

function storedSetting(license: ShownLicense | null, name: string): string {
  const stored: unknown = license?.settings === undefined ? undefined : Reflect.get(license.settings, name);
  return stored === undefined ? '' : typeof stored === 'string' ? stored : JSON.stringify(stored);
}

/** What the form changes. */
function changesOf(visit: AccountVisit, subject: Subject) {
  const { form, words } = visit;
  const changed = changedIn(form, presentOf(subject), words);
  const settings = subject.settings.filter(({ name, isSecret }) => isSecret || changed.has(`s.${name}`));
  const fields = FIELDS.filter((name) => changed.has(name));
  return {
    ...Object.fromEntries(fields.map((name) => [name, form.get(name)?.trim() ?? ''])),
    ...settingsOf(visit, settings),
  };
}

const change = accountForm('/licenses/:license', 'administer', formPage, async (visit) => {
  const { account, form } = visit;
  const subject = await subjectOf(visit);
  const license = String(subject.license?.id);
  const active = form.has('active') ? choiceIn(form, 'active', ['true', 'false'], visit.words) : null;
  const given = active === null ? changesOf(visit, subject) : { active: active === 'true' };
  const { id } = await changeLicense(actingApp(visit), { license, ...given });
  const notice = active === null ? 'saved' : active === 'true' ? 'licenseEnabled' : 'licenseDisabled';
  return { to: `/panel/a/${account.id}/licenses/${id}`, notice };
});

export const licenseScreens = [list, showNew, create, show, change, check];
