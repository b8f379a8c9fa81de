import { listLicenseSummaries } from '../../../../db/queries/accounts/credentials.js';
import { type ConnectedSite, findStoreSite } from '../../../../db/queries/accounts/store-sites.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { STORE_PLATFORMS } from '../../../../domain/store-sites.js';
import { changeStoreSite, createStoreSite, storeSiteList } from '../../../../services/admin/store-sites.js';
import { changedIn, edited, type Present } from '../edited.js';
import { choiceIn, filledFields } from '../form.js';
import { code, facts, type field, moment, select, table } from '../layout.js';
import { actionButton, alert, checkbox, chosen, confirmed, fieldsOf, idPage, shownOf } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, actingApp, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';

const KEYS = ['consumerKey', 'consumerSecret', 'storeUrl'] as const;

const show = accountScreen('get', '/sites', 'administer', (visit) => listPage(visit));

async function listPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, account, words } = visit;
  const { sites: texts } = words;
  const [found, licenses] = await Promise.all([
    storeSiteList(app, { account: account.id, ...idPage(visit) }),
    listLicenseSummaries(app.db, account.id),
  ]);
  const names = new Map(licenses.map(({ id, name }) => [id, name]));
  const { shown, next } = shownOf(found, visit);
  const sites = table(words, texts.title, shown, [
    [
      texts.domain,
      ({ id, domain }) =>
        html`<a href="/panel/a/${account.id}/sites/${id}"><bdi dir="ltr">${domain}</bdi></a>`,
    ],
    [texts.platform, ({ platform }) => code(platform)],
    [
      words.license,
      ({ licenseId }) =>
        html`<bdi>${licenseId === null ? texts.everyLicense : (names.get(licenseId) ?? licenseId)}</bdi>`,
    ],
    [words.state, (site) => stateOf(site, words)],
  ]);
  const choices = licenses.map(({ id, name }) => [String(id), name] as const);
  return {
    title: texts.title,
    main: html`<p>${texts.intro}</p>
${sites}
${next}
<h2>${texts.new}</h2>
${alert(refusal)}
${newSite(visit, choices, refusal)}`,
  };
}

function stateOf({ isActive, failingSince, storeUrl }: ConnectedSite, { sites: texts }: Words): Html {
  if (!isActive) return html`${texts.disabled}`;
  if (failingSince !== null) return html`<span class="error">${texts.failing}</span>`;
  return html`${storeUrl === null ? texts.active : texts.connected}`;
}

function newSite(
  { account, form, words }: AccountVisit,
  licenses: readonly (readonly [string, string])[],
  refusal: Refusal | null,
): Html {
  const { sites: texts } = words;
  const input = fieldsOf(form, refusal);
  return html`<form method="post" action="/panel/a/${account.id}/sites" class="sheet"><fieldset>
${select(
  'platform',
  texts.platform,
  STORE_PLATFORMS.map((name) => [name, name] as const),
  form.get('platform') ?? '',
)}
${input('domain', texts.domain, { ltr: true, required: true, hint: texts.domainHint })}
${select('license', words.license, [['', texts.everyLicense], ...licenses], form.get('license') ?? '')}
${callback(words, input)}
</fieldset>${restKeys(words, input)}<button>${texts.create}</button></form>`;
}

function callback({ sites: texts }: Words, input: typeof field): Html {
  return input('callbackUrl', texts.callback, { ltr: true, type: 'url', hint: texts.callbackHint });
}

/** Keys are never shown: what is typed replaces them. */
function restKeys({ sites: texts }: Words, input: typeof field): Html {
  const inputs = KEYS.map((name) => {
    const kind = name === 'storeUrl' ? { type: 'url' } : { type: 'password', value: '' };
    return input(name, texts[name], {
      ltr: true,
      autocomplete: name === 'storeUrl' ? 'off' : 'new-password',
      ...kind,
    });
  });
  return html`<fieldset><legend>${texts.restKeys}</legend><p class="hint">${texts.restKeysHint}</p>
${inputs}</fieldset>`;
}

const create = accountForm('/sites', 'administer', listPage, async (visit) => {
  const { account, form } = visit;
  const given = filledFields(form, ['platform', 'domain', 'license', 'callbackUrl', ...KEYS]);
  const { id } = await createStoreSite(actingApp(visit), { ...given, account: account.id });
  return { to: `/panel/a/${account.id}/sites/${id}`, notice: 'saved' };
});

/** The site of the path; another account's is missing. @throws AppError `not_found` */
async function readSite({ app, account, params }: AccountVisit): Promise<ConnectedSite> {
  const id = Number(params.site);
  const site = Number.isSafeInteger(id) ? await findStoreSite(app.db, id) : null;
  if (site?.accountId !== account.id) throw notFound('site');
  return site;
}

const showOne = accountScreen('get', '/sites/:site', 'administer', (visit) => onePage(visit));

async function onePage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { account, words } = visit;
  const site = await readSite(visit);
  const { sites: texts } = words;
  const here = `/panel/a/${account.id}/sites/${site.id}`;
  const { storeUrl } = site;
  const { form, was } = edited(visit.form, presentOf(site));
  const input = fieldsOf(form, refusal);
  return {
    title: site.domain,
    main: html`${facts([
      [texts.platform, code(site.platform)],
      [words.state, stateOf(site, words)],
      [texts.failingSince, moment(site.failingSince, words)],
      [texts.made, moment(site.createdAt, words)],
    ])}
${alert(refusal)}
<form method="post" action="${here}" class="sheet">${was}<fieldset>${callback(words, input)}</fieldset>
${site.platform === 'woocommerce' ? restKeys(words, input) : null}
${storeUrl !== null ? checkbox('removeRestKeys', texts.removeRestKeys, { value: 'on', isChecked: false }) : null}
<button>${words.save}</button></form>
<div class="actions">${
      site.isActive
        ? confirmed(
            here,
            { button: texts.disable, question: words.forms.disableSiteQuestion },
            chosen('active', 'false'),
          )
        : actionButton(here, texts.enable, 'second', chosen('active', 'true'))
    }</div>`,
  };
}

const change = accountForm('/sites/:site', 'administer', onePage, async (visit) => {
  const { account, form } = visit;
  const site = await readSite(visit);
  const active = form.has('active') ? choiceIn(form, 'active', ['true', 'false'], visit.words) : null;
  const changes = active === null ? changesOf(visit, site) : { active: active === 'true' };
  await changeStoreSite(actingApp(visit), { id: site.id, ...changes });
  const notice = active === null ? 'saved' : active === 'true' ? 'siteEnabled' : 'siteDisabled';
  return { to: `/panel/a/${account.id}/sites/${site.id}`, notice };
});

function presentOf({ callbackUrl, storeUrl }: ConnectedSite): Present {
  const now = new URLSearchParams({ callbackUrl: callbackUrl ?? '', storeUrl: storeUrl ?? '' });
  return { names: ['callbackUrl', 'storeUrl'], now };
}

/** Changes in the form. The store's address counts only where it is new, or beside new keys. */
function changesOf({ form, words }: AccountVisit, site: ConnectedSite): object {
  const changed = changedIn(form, presentOf(site), words);
  const callback = changed.has('callbackUrl') ? { callbackUrl: form.get('callbackUrl')?.trim() || null } : {};
  if (form.get('removeRestKeys') !== null) return { ...callback, removeRestKeys: true };
  const { storeUrl, ...keys } = filledFields(form, KEYS);
  const isMeant = changed.has('storeUrl') || Object.keys(keys).length > 0;
  return { ...callback, ...keys, ...(isMeant && storeUrl !== undefined ? { storeUrl } : {}) };
}

export const siteScreens = [show, create, showOne, change];
