import { type CountedCompany, findCountedCompany } from '../../../../db/queries/accounts/companies.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import {
  changeCompany,
  countedCompanyList,
  createCompany,
  deleteCompany,
} from '../../../../services/admin/companies.js';
import { changedIn, edited, type Present } from '../edited.js';
import { facts, select, table } from '../layout.js';
import { alert, checkbox, confirmed, fieldsOf, idPage, shownOf } from '../parts.js';
import { actingApp, type ScreenPage, screen, serviceForm, type Visit } from '../screen.js';
import type { Refusal } from '../told.js';
import { filled } from '../words/words.js';

const HERE = '/panel/companies';

const show = screen('get', '/companies', 'administer', (visit) => listPage(visit));

async function listPage(visit: Visit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, form, words } = visit;
  const { companies: texts } = words;
  const { shown, next } = shownOf(await countedCompanyList(app, idPage(visit)), visit);
  const list = table(words, texts.title, shown, [
    [words.name, ({ id, name }) => html`<a href="${HERE}/${id}"><bdi>${name}</bdi></a>`],
    [words.carrier, ({ carrier }) => html`<bdi>${carrier.name}</bdi>`],
    [words.licenses.title, ({ licenses }) => licenses],
    [words.merchantUsers.premium, ({ isPremium }) => (isPremium ? words.yes : words.no)],
  ]);
  const carriers = app.adapters.map(({ provider, displayName }) => [provider, displayName] as const);
  return {
    title: texts.title,
    main: html`<p>${texts.intro}</p>
${list}
${next}
<h2>${texts.new}</h2>
${alert(refusal)}
<form method="post" action="${HERE}" class="sheet"><fieldset>
${select('carrier', words.carrier, carriers, form.get('carrier') ?? '')}
${inputs(visit, form, refusal)}
</fieldset><button>${words.create}</button></form>`,
  };
}

function inputs({ words }: Visit, form: URLSearchParams, refusal: Refusal | null): Html {
  return html`${fieldsOf(form, refusal)('name', words.name, { required: true, maxlength: 255 })}
${checkbox('premium', words.companies.premium, { value: 'on', isChecked: form.has('premium') })}`;
}

const create = serviceForm('/companies', 'administer', listPage, async (visit) => {
  const { form } = visit;
  await createCompany(actingApp(visit), {
    carrier: form.get('carrier') ?? '',
    name: form.get('name')?.trim() ?? '',
    premium: form.has('premium'),
  });
  return { to: HERE, notice: 'created' };
});

/** The company of the path. @throws AppError `not_found` */
async function readCompany({ app, params }: Visit): Promise<CountedCompany> {
  const id = Number(params.company);
  const found = Number.isSafeInteger(id) ? await findCountedCompany(app.db, id) : null;
  if (found === null) throw notFound('company');
  return found;
}

const showOne = screen('get', '/companies/:company', 'administer', (visit) => onePage(visit));

async function onePage(visit: Visit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { words } = visit;
  const { companies: texts } = words;
  const company = await readCompany(visit);
  const here = `${HERE}/${company.id}`;
  const { form, was } = edited(visit.form, presentOf(company));
  const removing = { button: texts.remove, question: filled(texts.removeQuestion, { name: company.name }) };
  return {
    title: company.name,
    main: html`${alert(refusal)}
${facts([
  [words.carrier, html`<bdi>${company.carrier.name}</bdi>`],
  [words.licenses.title, company.licenses],
])}
<form method="post" action="${here}" class="sheet">${was}<fieldset>${inputs(visit, form, refusal)}</fieldset><button>${words.save}</button></form>
${company.licenses > 0 ? html`<p class="hint">${texts.inUse}</p>` : html`<div class="actions">${confirmed(`${here}/delete`, removing)}</div>`}
<p><a href="${HERE}">${words.back}</a></p>`,
  };
}

function presentOf({ name, isPremium }: CountedCompany): Present {
  const now = new URLSearchParams({ name });
  if (isPremium) now.set('premium', 'on');
  return { names: ['name', 'premium'], now };
}

const change = serviceForm('/companies/:company', 'administer', onePage, async (visit) => {
  const { form, words } = visit;
  const company = await readCompany(visit);
  const changed = changedIn(form, presentOf(company), words);
  await changeCompany(actingApp(visit), {
    id: company.id,
    ...(changed.has('name') ? { name: form.get('name')?.trim() ?? '' } : {}),
    ...(changed.has('premium') ? { premium: form.has('premium') } : {}),
  });
  return { to: `${HERE}/${company.id}`, notice: 'saved' };
});

const remove = serviceForm('/companies/:company/delete', 'administer', onePage, async (visit) => {
  const { id } = await readCompany(visit);
  await deleteCompany(actingApp(visit), { id });
  return { to: HERE, notice: 'deleted' };
});

export const companyScreens = [show, create, showOne, change, remove];
