import { listCompanyNames } from '../../../../db/queries/accounts/companies.js';
import { findLicenseHead } from '../../../../db/queries/accounts/licenses.js';
import { AppError, notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { may } from '../../../../domain/panel-roles.js';
import { problem } from '../../../../domain/problems/problem.js';
import { checkLicense } from '../../../../services/admin/check-license.js';
import {
  changeLicense,
  createLicense,
  licenseList,
  licenseWebhookUrl,
  rotateWebhookUrl,
  type ShownLicense,
  showLicense,
} from '../../../../services/admin/licenses.js';
import { describeSettings, SealError } from '../../../../services/admin/settings.js';
import { changedIn, edited } from '../edited.js';
import { choiceIn, filledFields } from '../form.js';
import { code, moment, select, table } from '../layout.js';
import {
  COLLECTION,
  FIELD_NAMES,
  flagBoxes,
  flagsGiven,
  LABELS,
  licenseGiven,
  licenseInputs,
  presentOf,
  SHOP,
  settingInput,
  settingsGiven,
  USUAL,
} from '../license-fields.js';
import { actionButton, alert, chosen, confirmed, fieldsOf, idPage, shownOf, suggestions } from '../parts.js';
import {
  type AccountVisit,
  type Answer,
  accountForm,
  accountScreen,
  actingApp,
  type ScreenPage,
} from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';
import { ownChanges, ownLicensePage } from './own-license.js';

type Carrier = AccountVisit['app']['adapters'][number];

const list = accountScreen('get', '/licenses', 'own', async (visit) => {
  const { app, account, user, words } = visit;
  const { licenses: texts } = words;
  const heads = await licenseList(app, { account: account.id, ...idPage(visit) });
  const { shown, next } = shownOf(heads, visit);
  const licenses = table(words, texts.title, shown, [
    [texts.name, ({ id, name }) => html`<a href="licenses/${id}"><bdi>${name}</bdi></a>`],
    [words.carrier, ({ company }) => html`<bdi>${company}</bdi>`],
    [words.state, ({ state }) => texts.states[state]],
    [texts.expires, ({ expiresAt }) => moment(expiresAt, words) ?? words.none],
    [texts.key, ({ key }) => code(key)],
  ]);
  return {
    title: texts.title,
    main: html`${licenses}
${next}
${may(user.role, 'administer') ? newLicense(visit) : null}`,
  };
});

function newLicense({ app, words }: AccountVisit): Html {
  const carriers = app.adapters.map((one) => [one.provider, carrierName(one)] as const);
  return html`<h2>${words.licenses.new}</h2>
<form method="get" action="licenses/new" class="row">${select('carrier', words.carrier, carriers)}<button>${words.next}</button></form>`;
}

/** A carrier by the names that people know. */
function carrierName({ displayName, companies = [] }: Carrier): string {
  return companies.length === 0 ? displayName : `${companies.join(', ')} (${displayName})`;
}

/** The subject of the form: a license, or a carrier for a new one. */
interface Subject {
  license: ShownLicense | null;
  adapter: Carrier;
}

async function subjectOf(visit: AccountVisit): Promise<Subject> {
  const { app, params, query, form } = visit;
  const license = params.license === undefined ? null : await ownLicense(visit, params.license);
  const provider = license?.provider ?? form.get('carrier') ?? query.get('carrier');
  const adapter = app.adapters.find((one) => one.provider === provider);
  if (adapter === undefined) throw notFound('carrier');
  return { license, adapter };
}

/** @throws AppError `not_found` for an unknown license, or another account's */
async function ownLicense({ app, account }: AccountVisit, id: string): Promise<ShownLicense> {
  const head = /^[1-9]\d{0,15}$/.test(id) ? await findLicenseHead(app.db, id) : null;
  if (head?.accountId !== account.id) throw notFound('license');
  return await showLicense(app, { license: id }).catch((error: unknown) => {
    if (error instanceof SealError) throw new AppError('not_supported', problem('sealed'));
    throw error;
  });
}

async function page(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  if (may(visit.user.role, 'administer')) return await formPage(visit, refusal);
  const license = await ownLicense(visit, visit.params.license ?? '');
  const adapter = visit.app.adapters.find(({ provider }) => provider === license.provider);
  return ownLicensePage(visit, { license, adapter }, refusal);
}

async function formPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { account, words } = visit;
  const { licenses: texts } = words;
  const { license, adapter } = await subjectOf(visit);
  const settings = describeSettings(adapter);
  const { form, was } =
    license === null ? { form: visit.form, was: null } : edited(visit.form, presentOf(license, { settings }));
  const shown = { form, words, refusal };
  const here = `/panel/a/${account.id}/licenses/${license?.id ?? 'new'}`;
  const part = (legend: string, inputs: readonly Html[]) =>
    inputs.length === 0 ? null : html`<fieldset><legend>${legend}</legend>${inputs}</fieldset>`;
  return {
    title: license?.name ?? `${texts.new}: ${carrierName(adapter)}`,
    main: html`${license === null ? null : html`<p>${texts.key} ${code(license.key)}</p>`}
<form method="post" action="${here}" class="sheet">${was}
<input type="hidden" name="carrier" value="${adapter.provider}">
${alert(refusal)}
<fieldset>${await companyInput({ ...visit, form }, refusal, { license, adapter })}${licenseInputs(shown, USUAL)}</fieldset>
${part(
  texts.settings,
  settings.map((one) => settingInput(shown, one, license)),
)}
${part(texts.collection, licenseInputs(shown, COLLECTION, adapter.needsCollectionAddress === true))}
${license === null ? null : html`${part(texts.labels, licenseInputs(shown, LABELS))}${flagBoxes(shown)}${part(texts.shop, licenseInputs(shown, SHOP))}`}
<button>${words.save}</button></form>
${license === null ? null : switchForm(here, { license, adapter }, words)}`,
  };
}

/** The name by which people know the carrier. Other merchants' own names are no suggestions. */
async function companyInput(
  { app, account, form, words }: AccountVisit,
  refusal: Refusal | null,
  { license, adapter }: Subject,
): Promise<Html> {
  const { licenses: texts } = words;
  const { provider, displayName, companies } = adapter;
  const own = await listCompanyNames(app.db, { accountId: account.id, provider });
  const names = [...new Set([...(companies ?? [displayName]), ...own])];
  const usual = license === null && companies === undefined ? displayName : '';
  const input = fieldsOf(form, refusal)('companyName', texts.company, {
    value: form.get('companyName') ?? usual,
    required: true,
    maxlength: 255,
    hint: texts.companyHint,
    list: 'companies',
  });
  return html`${input}${suggestions('companies', names)}`;
}

function switchForm(
  here: string,
  { license: { isActive }, adapter }: { license: ShownLicense; adapter: Carrier },
  { licenses: texts, forms }: Words,
): Html {
  const disabling = { button: texts.disable, question: forms.disableLicenseQuestion };
  return html`<div class="actions">
<form method="post" action="${here}/check"><button class="second">${texts.check}</button></form>
${adapter.webhook === undefined ? null : actionButton(`${here}/webhook-url`, texts.webhookUrl)}
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

/** Where the carrier posts what happens to parcels: on no other page, since who has it can post there too. */
const webhookUrl = accountScreen('post', '/licenses/:license/webhook-url', 'administer', async (visit) => {
  const { id } = await ownLicense(visit, visit.params.license ?? '');
  return webhookUrlPage(visit, id, await licenseWebhookUrl(visit.app, { license: String(id) }));
});

const rotateUrl = accountScreen(
  'post',
  '/licenses/:license/webhook-url/rotate',
  'administer',
  async (visit) => {
    const { id } = await ownLicense(visit, visit.params.license ?? '');
    return webhookUrlPage(visit, id, await rotateWebhookUrl(actingApp(visit), { license: String(id) }));
  },
);

function webhookUrlPage({ account, words }: AccountVisit, id: number, { url }: { url: string }): ScreenPage {
  const { licenses: texts, forms } = words;
  const here = `/panel/a/${account.id}/licenses/${id}`;
  const rotating = { button: texts.rotateUrl, question: forms.rotateUrlQuestion };
  return {
    title: texts.webhookUrl,
    main: html`<p>${texts.webhookUrlHint}</p>
<p class="secret">${code(url)}</p>
<div class="actions">${confirmed(`${here}/webhook-url/rotate`, rotating)}</div>
<p><a href="${here}">${words.back}</a></p>`,
  };
}

const show = accountScreen('get', '/licenses/:license', 'own', (visit) => page(visit));
const showNew = accountScreen('get', '/licenses/new', 'administer', (visit) => formPage(visit));

const create = accountForm('/licenses/new', 'administer', formPage, async (visit) => {
  const { account, form } = visit;
  const { adapter } = await subjectOf(visit);
  const { set, secrets } = settingsGiven(form, describeSettings(adapter));
  const isFilled = (input: string) => (form.get(input)?.trim() ?? '') !== '';
  const { id } = await createLicense(actingApp(visit), {
    ...licenseGiven(form, [...USUAL, ...COLLECTION], isFilled),
    ...filledFields(form, ['companyName']),
    account: account.id,
    carrier: adapter.provider,
    set,
    secrets,
  });
  return { to: `/panel/a/${account.id}/licenses/${id}`, notice: 'saved' };
});

/** Changes in the form. */
function changesOf({ form, words }: AccountVisit, license: ShownLicense, adapter: Carrier) {
  const settings = describeSettings(adapter);
  const changed = changedIn(form, presentOf(license, { settings }), words);
  return {
    ...licenseGiven(form, FIELD_NAMES, (input) => changed.has(input)),
    ...settingsGiven(
      form,
      settings.filter(({ name, isSecret }) => isSecret || changed.has(`s.${name}`)),
    ),
    ...(changed.has('companyName') ? { companyName: form.get('companyName')?.trim() } : {}),
    flags: flagsGiven(form, changed),
  };
}

const change = accountForm('/licenses/:license', 'own', page, async (visit) => {
  const { account, form, user } = visit;
  if (!may(user.role, 'administer')) return await changeOwn(visit);
  const { license, adapter } = await subjectOf(visit);
  if (license === null) throw notFound('license');
  const active = form.has('active') ? choiceIn(form, 'active', ['true', 'false'], visit.words) : null;
  const given = active === null ? changesOf(visit, license, adapter) : { active: active === 'true' };
  await changeLicense(actingApp(visit), { license: String(license.id), ...given });
  const notice = active === null ? 'saved' : active === 'true' ? 'licenseEnabled' : 'licenseDisabled';
  return { to: `/panel/a/${account.id}/licenses/${license.id}`, notice };
});

async function changeOwn(visit: AccountVisit): Promise<Answer> {
  const license = await ownLicense(visit, visit.params.license ?? '');
  await changeLicense(actingApp(visit), { license: String(license.id), ...ownChanges(visit, license) });
  return { to: `/panel/a/${visit.account.id}/licenses/${license.id}`, notice: 'saved' };
}

export const licenseScreens = [list, showNew, create, show, change, check, webhookUrl, rotateUrl];
