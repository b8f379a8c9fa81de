import { idempotencyOf } from '../../../../api/idempotency.js';
import { createOperation, dryRunOperation } from '../../../../api/v2/shipments/create-routes.js';
import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { findUsedLicense } from '../../../../db/queries/accounts/panel-users.js';
import { findKey } from '../../../../db/queries/creation/idempotency.js';
import { findLastLicense } from '../../../../db/queries/shipments/shipment-sources.js';
import { AppError, notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { shortDigest } from '../../../../lib/digest.js';
import { keepAddress } from '../../../../services/kept/kept.js';
import { labelOfShipment } from '../../../../services/labels/labels.js';
import { rememberLicense } from '../../../../services/panel/own-access.js';
import { askedBefore, type Origin, SHIP_FIELDS } from '../../../../services/shipments/asked-again.js';
import { filledFields } from '../form.js';
import { field, select } from '../layout.js';
import { licenseIn, licenseSelect, usableLicense, usableLicenses } from '../license-screen.js';
import { alert, checkbox, chosen, serviceTypes, textArea } from '../parts.js';
import { type AccountVisit, type Answer, accountForm, accountScreen, type ScreenPage } from '../screen.js';
import { type Refusal, toldError, toldText } from '../told.js';
import { addressSearch, chosenAddress } from './addresses.js';
import { chosenPreset, keepSent, presetButtons, savePresetPart } from './presets.js';
import { foundPoints, pointsPart } from './shipment-points.js';
import { storyPage } from './story.js';

const show = accountScreen('get', '/shipments/new', 'ship', async (visit) => {
  return await formPage(visit, { form: await filledForm(visit) });
});

/** The first values by the query: an earlier request of the account, or fields. */
async function filledForm(visit: AccountVisit): Promise<URLSearchParams> {
  const { app, account, query } = visit;
  const origin = originOf(query);
  if (origin === null) return await withKept(visit, query);
  const asked = await askedBefore(app, account.id, origin);
  if (asked === null) throw notFound('shipment');
  return new URLSearchParams({ license: String(asked.licenseId), ...asked.fields });
}

/** The fields with those of a preset and of an address that they name. */
async function withKept(visit: AccountVisit, fields: URLSearchParams): Promise<URLSearchParams> {
  const kept = { ...(await chosenPreset(visit, fields)), ...(await chosenAddress(visit, fields)) };
  return new URLSearchParams({ ...Object.fromEntries(fields), ...kept });
}

function originOf(query: URLSearchParams): Origin | null {
  const [from, back, batch] = [query.get('from'), query.get('back'), query.get('batch')];
  if (from !== null) return { kind: 'shipment', uuid: from };
  if (back !== null) return { kind: 'return', uuid: back };
  return batch === null ? null : { kind: 'item', batch, position: Number(query.get('item')) || 0 };
}

async function formPage(
  visit: AccountVisit,
  shown: { form: URLSearchParams; refusal?: Refusal; points?: Html; warnings?: readonly string[] },
): Promise<ScreenPage> {
  const { form, refusal = null, points = null, warnings = [] } = shown;
  const errors = refusal?.fields ?? {};
  const { words, account } = visit;
  const { form: texts } = words;
  const licenses = await usableLicenses(visit);
  const license = licenseIn(licenses, form) ?? (await usualLicense(visit, licenses));
  // Enter presses the first button of a form: it creates, whatever stands above.
  return {
    title: texts.title,
    main: html`<p><a href="/panel/a/${account.id}/addresses">${words.kept.addresses}</a> · <a href="/panel/a/${account.id}/presets">${words.kept.presets}</a></p>
${await addressSearch(visit)}
<form method="post" id="ship" action="/panel/a/${account.id}/shipments/new" class="sheet">
<button class="unseen" tabindex="-1" aria-hidden="true">${words.create}</button>
${alert(refusal)}
${warned(words, warnings)}
${await presetButtons(visit)}
${carrierFields(visit, form, licenses, license)}
${recipientFields(visit, form, errors, pointsPart(visit, license, points))}
${parcelFields(visit, form, errors)}
${savePresetPart(visit)}
<p class="actions"><button name="then" value="show" class="first">${words.create}</button>
<button name="then" value="print" class="second">${texts.createAndPrint}</button></p>
</form>`,
  };
}

/** Warnings before the booking. The form that is sent again says that it was seen. */
function warned(words: AccountVisit['words'], warnings: readonly string[]): Html | null {
  if (warnings.length === 0) return null;
  return html`<div class="notice" role="alert" tabindex="-1" autofocus>
${warnings.map((text) => html`<p dir="auto">${toldText(words, text)}</p>`)}<p>${words.sentForms.nothingYet}</p></div>
${chosen('seen', seenMark(warnings))}`;
}

function seenMark(warnings: readonly string[]): string {
  return shortDigest(Buffer.from(warnings.join('\n')));
}

/** The one that this user took last, else the one of the account's last shipment: two people may pack for two shops. */
async function usualLicense(
  { app, account, user }: AccountVisit,
  licenses: readonly LicenseSummary[],
): Promise<LicenseSummary | undefined> {
  const among = (wanted: number | null) => licenses.find(({ id }) => id === wanted);
  const own = among(await findUsedLicense(app.db, user.id));
  return own ?? among(await findLastLicense(app.db, account.id)) ?? licenses[0];
}

function carrierFields(
  { words, account }: AccountVisit,
  form: URLSearchParams,
  licenses: LicenseSummary[],
  license: LicenseSummary | undefined,
): Html {
  const { form: texts } = words;
  const offer = `/panel/a/${account.id}/shipments/points/offer`;
  return html`<fieldset><legend>${words.license}</legend>
<div hx-get="${offer}" hx-trigger="change" hx-include="closest form" hx-target="#points" hx-swap="outerHTML">
${licenseSelect(words, licenses, license?.id)}
</div>
${select('type', texts.type, serviceTypes(words), form.get('type') ?? '1')}
</fieldset>`;
}

function recipientFields(
  { words }: AccountVisit,
  form: URLSearchParams,
  errors: Refusal['fields'],
  points: Html,
): Html {
  const { form: texts } = words;
  const one = (
    name: (typeof SHIP_FIELDS)[number],
    label: string,
    options: Parameters<typeof field>[2] = {},
  ) =>
    field(name, label, {
      value: form.get(name) ?? '',
      error: errors[`ship_data.${name}`]?.[0],
      ...options,
    });
  return html`<fieldset><legend>${words.recipient}</legend>
${one('contact_name', words.name, { required: true, maxlength: 255 })}
${one('contact_phone', texts.phone, { required: true, ltr: true, type: 'tel', maxlength: 32 })}
${one('contact_mail', words.email, { ltr: true, type: 'email', maxlength: 255 })}
${one('street', texts.street, { maxlength: 255 })}
${one('number', texts.number, { maxlength: 32 })}
${one('entrance', texts.entrance, { maxlength: 32 })}
${one('floor', texts.floor, { maxlength: 32 })}
${one('apartment', texts.apartment, { maxlength: 32 })}
${one('city', words.city, { maxlength: 255 })}
${checkbox('keep_address', words.kept.keep, { value: 'on', isChecked: form.get('keep_address') !== null })}
${one('pickup', texts.pickup, { hint: texts.pickupHint, ltr: true, maxlength: 64 })}
${points}
</fieldset>`;
}

function parcelFields({ words }: AccountVisit, form: URLSearchParams, errors: Refusal['fields']): Html {
  const { form: texts } = words;
  const value = (name: string, usual = '') => form.get(name) ?? usual;
  return html`<fieldset><legend>${words.order}</legend>
${field('order', texts.order, { value: value('order'), hint: texts.orderHint, error: errors['order.id']?.[0], required: true, maxlength: 191 })}
${field('packages', texts.packages, { type: 'number', value: value('packages', '1'), min: 1, max: 99, error: errors['ship_data.packages']?.[0] })}
${field('cod', texts.cod, { value: value('cod'), inputmode: 'decimal', ltr: true, error: errors['ship_data.cod_amount']?.[0] })}
${field('exaction_date', texts.day, { type: 'date', value: value('exaction_date'), error: errors['ship_data.exaction_date']?.[0] })}
${textArea('note', texts.note, { value: value('note'), direction: 'auto', rows: 3, required: false, maxlength: 1000, error: errors['ship_data.note']?.[0] })}
</fieldset>`;
}

/** Sent by the form, so that what was typed stands in no address of a page. */
const filled = accountScreen('post', '/shipments/filled', 'ship', async (visit) => {
  return await formPage(visit, { form: await withKept(visit, visit.form) });
});

function refused(visit: AccountVisit, refusal: Refusal): Promise<ScreenPage> {
  return formPage(visit, { form: visit.form, refusal });
}

/** The form comes back as it was, to be sent under another key. */
const preset = accountForm('/shipments/preset', 'ship', refused, async (visit) => {
  await keepSent(visit);
  const { main, ...page } = await formPage(visit, { form: visit.form });
  return { ...page, main: html`<p class="notice" role="status">${visit.words.notices.saved}</p>${main}` };
});

const points = accountScreen('get', '/shipments/points', 'ship', async (visit) => {
  const license = licenseIn(await usableLicenses(visit), visit.query);
  const found = await foundPoints(visit, license);
  // Without script the whole form comes back, with the points in it.
  const page = await formPage(visit, { form: visit.query, points: found });
  return { ...page, part: pointsPart(visit, license, found) };
});

/** The button for the points of another license. */
const offer = accountScreen('get', '/shipments/points/offer', 'ship', async (visit) => {
  const license = licenseIn(await usableLicenses(visit), visit.query);
  return { ...(await formPage(visit, { form: visit.query })), part: pointsPart(visit, license) };
});

const create = accountForm('/shipments/new', 'ship', refused, async (visit) => {
  const { app, account, form, call } = visit;
  const license = form.has('license') ? await usableLicense(visit) : undefined;
  const wanted = { body: bodyOf(form, license?.key), key: form.get('key') ?? '' };
  const warnings = await unseenWarnings(visit, wanted);
  if (warnings.length > 0) return await formPage(visit, { form, warnings });
  const { uuid, status } = (await call(createOperation, wanted)).data;
  // The parcel is made, whether or not what follows can be kept.
  if (form.get('keep_address') !== null) {
    await keepAddress(app, account.id, filledFields(form, SHIP_FIELDS)).catch(app.onTrouble);
  }
  await keepLicense(visit).catch(app.onTrouble);
  const to = `/panel/a/${account.id}/shipments/${uuid}`;
  if (status.code === 'pending' || status.code === 'needs_attention') return { to, notice: 'pending' };
  return form.get('then') === 'print' ? await printed(visit, uuid) : { to, notice: 'created' };
});

/**
 * Warnings of the dry run; none where the user has seen just that, or where this very form has begun its creation
 * before. What it refuses, the creation says itself.
 */
async function unseenWarnings(
  { app, account, form, call }: AccountVisit,
  { body, key }: { body: ReturnType<typeof bodyOf>; key: string },
): Promise<string[]> {
  const found = await call(dryRunOperation, { body }).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  const warnings = found?.data.warnings.map(({ message }) => message) ?? [];
  if (warnings.length === 0 || form.get('seen') === seenMark(warnings)) return [];
  const idempotency = idempotencyOf({ fingerprint: '', headerValues: [key] }, app.config);
  const begun = await findKey(app.db, { accountId: account.id, ...idempotency });
  return begun === null ? warnings : [];
}

/** Remembers the license that the user took: the next form begins with it. */
async function keepLicense(visit: AccountVisit): Promise<void> {
  const license = licenseIn(await usableLicenses(visit), visit.form);
  if (license !== undefined) await rememberLicense(visit.app, visit.user.id, license.id);
}

/** The label of a new shipment; the shipment itself where it cannot be printed, since it is created all the same. */
async function printed(visit: AccountVisit, uuid: string): Promise<Answer> {
  const { app, account, words, whileWaiting } = visit;
  try {
    const { path } = await whileWaiting(() => labelOfShipment(app, { accountId: account.id, uuid }));
    return { to: path };
  } catch (error) {
    const isPublished = error instanceof AppError;
    if (!isPublished) app.onTrouble(error);
    const page = await storyPage({ ...visit, params: { ...visit.params, uuid } });
    const text = isPublished ? html`<bdi dir="auto">${toldError(words, error)}</bdi>` : null;
    return {
      ...page,
      main: html`<p class="notice" role="alert">${words.parcel.notPrinted} ${text}</p>
${page.main}`,
    };
  }
}

function bodyOf(form: URLSearchParams, licenseKey: string | undefined) {
  const { pickup, ...ship } = filledFields(form, SHIP_FIELDS);
  const { order = '', packages, cod, point } = filledFields(form, ['order', 'packages', 'cod', 'point']);
  const goesTo = point ?? pickup;
  return {
    license_key: licenseKey,
    ship_data: {
      ...ship,
      type: form.get('type') === '2' ? 2 : 1,
      return: 1,
      ...(goesTo === undefined ? {} : { pickup: goesTo }),
      ...(packages === undefined ? {} : { packages: Number(packages) }),
      ...(cod === undefined ? {} : { is_cod: true, cod_amount: cod }),
    },
    order: { id: order, number: order },
  };
}

export const newShipmentScreens = [show, filled, preset, points, offer, create];
