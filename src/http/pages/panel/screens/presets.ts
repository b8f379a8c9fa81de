import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { listPresets } from '../../../../db/queries/kept/presets.js';
import { type Html, html } from '../../../../domain/html.js';
import { keepPreset, removePreset } from '../../../../services/kept/kept.js';
import { field, select, table } from '../layout.js';
import { licenseIn, licenseSelect, usableLicenses } from '../license-screen.js';
import { alert, chosen, confirmed, serviceTypes, textArea } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';

const list = accountScreen('get', '/presets', 'ship', (visit) => listPage(visit));

async function listPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, account, words } = visit;
  const { kept: texts, form: labels } = words;
  const licenses = await usableLicenses(visit);
  const presets = await listPresets(app.db, account.id);
  const removal = { button: words.remove, question: texts.removePreset };
  return {
    title: texts.presets,
    main: html`<p>${texts.presetsIntro}</p>
${table(words, texts.presets, presets, [
  [
    words.name,
    ({ id, name }) =>
      html`<a href="/panel/a/${account.id}/shipments/new?preset=${id}"><bdi>${name}</bdi></a>`,
  ],
  [
    words.license,
    ({ licenseId }) => html`<bdi>${licenses.find(({ id }) => id === licenseId)?.name ?? texts.any}</bdi>`,
  ],
  [labels.type, ({ serviceType }) => (serviceType === 2 ? labels.collection : labels.delivery)],
  [labels.packages, ({ packages }) => packages],
  [labels.note, ({ note }) => html`<bdi dir="auto">${note}</bdi>`],
  [
    words.remove,
    ({ id }) => confirmed(`/panel/a/${account.id}/presets/remove`, removal, chosen('id', String(id))),
  ],
])}
${newForm(visit, licenses, refusal)}`,
  };
}

function newForm(
  { account, words, form }: AccountVisit,
  licenses: readonly Pick<LicenseSummary, 'id' | 'name'>[],
  refusal: Refusal | null,
): Html {
  const { kept: texts, form: labels } = words;
  const value = (name: string, usual = '') => form.get(name) ?? usual;
  return html`<h2>${texts.savePreset}</h2>
<form method="post" action="/panel/a/${account.id}/presets" class="sheet">
${alert(refusal)}
${field('preset_name', texts.presetName, { value: value('preset_name'), required: true, maxlength: 64, hint: texts.saveHint, error: refusal?.fields.preset_name?.[0] })}
${licenseSelect(words, licenses, form.get('license'), texts.any)}
${select('type', labels.type, serviceTypes(words), value('type', '1'))}
${field('packages', labels.packages, { type: 'number', min: 1, max: 99, value: value('packages', '1'), error: refusal?.fields.packages?.[0] })}
${textArea('note', labels.note, { value: value('note'), direction: 'auto', rows: 3, required: false, maxlength: 1000, error: refusal?.fields.note?.[0] })}
<button>${texts.savePreset}</button>
</form>`;
}

/** Keeps the preset of a form's fields. @throws AppError `validation_failed` */
export async function keepSent(visit: AccountVisit): Promise<void> {
  const { app, account, form } = visit;
  const license = licenseIn(await usableLicenses(visit), form);
  await keepPreset(app, account.id, {
    name: form.get('preset_name') ?? '',
    licenseId: license?.id ?? null,
    serviceType: form.get('type') === '2' ? 2 : 1,
    packages: Number(form.get('packages') ?? '1'),
    note: form.get('note')?.trim() ?? '',
  });
}

const keep = accountForm('/presets', 'ship', listPage, async (visit) => {
  await keepSent(visit);
  return { to: `/panel/a/${visit.account.id}/presets`, notice: 'saved' };
});

const remove = accountScreen('post', '/presets/remove', 'ship', async ({ app, account, form }) => {
  await removePreset(app, account.id, Number(form.get('id')) || 0);
  return { to: `/panel/a/${account.id}/presets`, notice: 'deleted' };
});

/** The account's presets as buttons of the form of a new shipment: each fills itself in, and what was typed stays. */
export async function presetButtons({ app, account, words }: AccountVisit): Promise<Html | null> {
  const presets = await listPresets(app.db, account.id);
  const buttons = presets.map(
    ({ id, name }) =>
      html`<button class="second" formaction="/panel/a/${account.id}/shipments/filled" formnovalidate name="preset" value="${id}"><bdi>${name}</bdi></button>
`,
  );
  return presets.length === 0 ? null : html`<p class="actions">${words.kept.presets}: ${buttons}</p>`;
}

/** The part of the form of a new shipment that saves its parcel as a preset. */
export function savePresetPart({ account, words, form }: AccountVisit): Html {
  const { kept: texts } = words;
  return html`<details><summary>${texts.savePreset}</summary>
${field('preset_name', texts.presetName, { value: form.get('preset_name') ?? '', maxlength: 64, hint: texts.saveHint })}
<button class="second" formaction="/panel/a/${account.id}/shipments/preset" formnovalidate>${texts.savePreset}</button></details>`;
}

/** The fields of the preset that is named; none where none is. */
export async function chosenPreset(
  visit: AccountVisit,
  named: URLSearchParams,
): Promise<Record<string, string>> {
  const { app, account } = visit;
  const wanted = named.get('preset');
  if (wanted === null) return {};
  const preset = (await listPresets(app.db, account.id)).find(({ id }) => String(id) === wanted);
  if (preset === undefined) return {};
  const license = (await usableLicenses(visit)).find(({ id }) => id === preset.licenseId);
  return {
    type: String(preset.serviceType),
    packages: String(preset.packages),
    note: preset.note,
    ...(license === undefined ? {} : { license: String(license.id) }),
  };
}

export const presetScreens = [list, keep, remove];
