import { PickupPointSchema } from '../../../../api/v2/pickup-points/schema.js';
import { listOf } from '../../../../api/v2/schemas.js';
import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { AppError, type FieldErrors } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { labelOfShipment } from '../../../../services/labels/labels.js';
import { filledFields } from '../form.js';
import { field, select } from '../layout.js';
import { usableLicenses } from '../license-screen.js';
import { alertLine } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';
import { shipmentAnswer } from './story.js';

const pointsAnswer = listOf(PickupPointSchema, '');

/** Fields of the form that are fields of `ship_data` too. */
const SHIP_FIELDS = [
  'contact_name',
  'contact_phone',
  'contact_mail',
  'street',
  'number',
  'apartment',
  'floor',
  'entrance',
  'city',
  'pickup',
  'note',
  'exaction_date',
] as const;

const show = accountScreen('get', '/shipments/new', 'ship', (visit) => formPage(visit, visit.query, {}));

async function formPage(visit: AccountVisit, form: URLSearchParams, errors: FieldErrors, message?: string) {
  const { words } = visit;
  const { form: texts } = words;
  const licenses = await usableLicenses(visit);
  return {
    title: texts.title,
    status: message === undefined ? 200 : 422,
    main: html`<form method="post" action="/panel/a/${visit.account.id}/shipments/new" class="sheet">
${message === undefined ? null : alertLine(message)}
${carrierFields(visit, form, licenses)}
${recipientFields(visit, form, errors)}
${parcelFields(visit, form, errors)}
<p class="actions"><button name="then" value="show">${words.create}</button>
<button name="then" value="print">${texts.createAndPrint}</button></p>
</form>`,
  };
}

function carrierFields({ words }: AccountVisit, form: URLSearchParams, licenses: LicenseSummary[]): Html {
  const { form: texts } = words;
  const options = licenses.map(({ key, name }) => [key, name] as const);
  const services = [
    ['1', texts.delivery],
    ['2', texts.collection],
  ] as const;
  return html`<fieldset><legend>${words.license}</legend>
${select('license_key', words.license, options, form.get('license_key') ?? '')}
${select('type', texts.type, services, form.get('type') ?? '1')}
</fieldset>`;
}

function recipientFields({ words, account }: AccountVisit, form: URLSearchParams, errors: FieldErrors): Html {
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
${one('pickup', texts.pickup, { hint: texts.pickupHint, ltr: true, maxlength: 64 })}
<div id="points"><button type="submit" formmethod="get" formaction="/panel/a/${account.id}/shipments/points" formnovalidate
 hx-get="/panel/a/${account.id}/shipments/points" hx-include="closest form" hx-target="#points" hx-swap="outerHTML">${texts.findPoints}</button></div>
</fieldset>`;
}

function parcelFields({ words }: AccountVisit, form: URLSearchParams, errors: FieldErrors): Html {
  const { form: texts } = words;
  const value = (name: string, usual = '') => form.get(name) ?? usual;
  return html`<fieldset><legend>${words.order}</legend>
${field('order', texts.order, { value: value('order'), hint: texts.orderHint, error: errors['order.id']?.[0], required: true, maxlength: 191 })}
${field('packages', texts.packages, { type: 'number', value: value('packages', '1'), min: 1, max: 99, error: errors['ship_data.packages']?.[0] })}
${field('cod', texts.cod, { value: value('cod'), inputmode: 'decimal', ltr: true, error: errors['ship_data.cod_amount']?.[0] })}
${field('exaction_date', texts.day, { type: 'date', value: value('exaction_date'), error: errors['ship_data.exaction_date']?.[0] })}
${field('note', texts.note, { value: value('note'), maxlength: 1000, error: errors['ship_data.note']?.[0] })}
</fieldset>`;
}

const points = accountScreen('get', '/shipments/points', 'ship', async (visit) => {
  const { query, v2, words } = visit;
  const city = query.get('city')?.trim() ?? '';
  const license = query.get('license_key') ?? '';
  const found = await v2(
    'listPickupPoints',
    { query: { license_key: license, limit: '50', ...(city === '' ? {} : { city }) } },
    pointsAnswer,
  );
  const part = html`<div id="points"><div class="field"><label for="point">${words.form.pickup}</label>
<select id="point" name="point" size="8">${found.data.map(
    ({ id, name, street, number, city: place }) =>
      html`<option value="${id}">${[name, street, number, place].filter(Boolean).join(', ')}</option>`,
  )}</select></div></div>`;
  // Without script the whole form comes back, with the points in it.
  const page = await formPage(visit, new URLSearchParams(query), {});
  return { ...page, main: html`${part}${page.main}`, part };
});

const create = accountScreen('post', '/shipments/new', 'ship', async (visit) => {
  const { app, account, form, v2 } = visit;
  try {
    const input = { body: bodyOf(form), headers: { 'idempotency-key': form.get('key') ?? '' } };
    const { data } = await v2('createShipment', input, shipmentAnswer);
    const to = `/panel/a/${account.id}/shipments/${data.uuid}`;
    if (data.status.code === 'pending' || data.status.code === 'needs_attention') {
      return { to, notice: 'pending' };
    }
    if (form.get('then') !== 'print') return { to, notice: 'created' };
    const { url } = await visit.whileWaiting(() =>
      labelOfShipment(app, { accountId: account.id, uuid: data.uuid }),
    );
    return { to: new URL(url).pathname };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return await formPage(visit, form, error.fields ?? {}, error.message);
  }
});

function bodyOf(form: URLSearchParams): object {
  const { pickup, ...ship } = filledFields(form, SHIP_FIELDS);
  const {
    license_key,
    order = '',
    packages,
    cod,
    point,
  } = filledFields(form, ['license_key', 'order', 'packages', 'cod', 'point']);
  const chosen = point ?? pickup;
  return {
    license_key,
    ship_data: {
      ...ship,
      type: form.get('type') === '2' ? 2 : 1,
      return: 1,
      ...(chosen === undefined ? {} : { pickup: chosen }),
      ...(packages === undefined ? {} : { packages: Number(packages) }),
      ...(cod === undefined ? {} : { is_cod: true, cod_amount: cod }),
    },
    order: { id: order, number: order },
  };
}

export const newShipmentScreens = [show, points, create];
