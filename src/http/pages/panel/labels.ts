import type { Cell } from '../../../domain/imports/edits.js';
import type { Words } from './words/en.js';

/** The labels of what a person says of an order. */
function cellLabels({ form, imports, name, email, city }: Words): Readonly<Record<Cell, string>> {
  return {
    'order.id': form.order,
    'ship_data.contact_name': name,
    'ship_data.contact_phone': form.phone,
    'ship_data.contact_mail': email,
    'ship_data.company': imports.fields.company,
    'ship_data.street': form.street,
    'ship_data.number': form.number,
    'ship_data.entrance': form.entrance,
    'ship_data.floor': form.floor,
    'ship_data.apartment': form.apartment,
    'ship_data.city': city,
    'order.shipping.country': imports.fields.country,
    'ship_data.pickup': form.pickup,
    'ship_data.note': form.note,
    'ship_data.packages': form.packages,
    'ship_data.cod_amount': form.cod,
    'ship_data.exaction_date': form.day,
  };
}

const SHIP_DATA = 'ship_data.';

/** The label of each field that a problem may be about, as the page's forms show it, by its path or name. */
function labelsOf(words: Words): Readonly<Record<string, string>> {
  const { form, settings, sites, panelUsers, merchantUsers, profile } = words;
  const { webhooks, notifications, parcel, exports, batches, licenses } = words;
  const cells = cellLabels(words);
  return {
    ...cells,
    // Kept addresses and presets have the same fields at their top.
    ...Object.fromEntries(
      Object.entries(cells).flatMap(([path, label]) =>
        path.startsWith(SHIP_DATA) ? [[path.slice(SHIP_DATA.length), label]] : [],
      ),
    ),
    preset_name: words.kept.presetName,
    'ship_data.type': form.type,
    ship_data: words.recipient,
    order: words.order,
    license_key: words.license,
    license: words.license,
    shipments: batches.itemsField,
    filter: exports.filter,
    ...settings,
    ...licenses.fields,
    platform: sites.platform,
    storeUrl: sites.storeUrl,
    consumerKey: sites.consumerKey,
    consumerSecret: sites.consumerSecret,
    name: words.name,
    email: words.email,
    companyName: settings.companyName,
    carrier: words.carrier,
    company: licenses.company,
    url: webhooks.url,
    callbackUrl: sites.callback,
    events: webhooks.eventsTitle,
    overlap_hours: webhooks.overlap,
    since: words.since,
    from_name: notifications.fromName,
    reply_to: notifications.replyTo,
    event: words.event,
    locale: words.language,
    subject: notifications.subject,
    body: notifications.body,
    role: panelUsers.role,
    account: panelUsers.account,
    premiumUntil: merchantUsers.premiumUntil,
    password: words.signIn.password,
    current: profile.currentPassword,
    code: words.trackingCode,
    adopt: words.trackingCode,
    reason: words.reason,
    'give-up': words.reason,
    occurred_at: parcel.happened,
    description: parcel.statusNote,
  };
}

/** The label of a carrier's setting; its name where a carrier is of our own making. */
export function settingLabel({ carrierSettings }: Words, name: string): string {
  const labels: Readonly<Record<string, string>> = carrierSettings.labels;
  return labels[name] ?? name;
}

const kept = new Map<string, Readonly<Record<string, string>>>();

/**
 * The label of a field, by its path in a request; of an item of a list, or of what is inside a field, that of the field.
 * Undefined for what no form shows.
 */
export function labelOf(words: Words, path: string): string | undefined {
  const labels = kept.get(words.locale) ?? labelsOf(words);
  kept.set(words.locale, labels);
  const parts = path.split('.');
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join('.');
    if (Object.hasOwn(labels, name)) return labels[name];
    if (count === 2 && parts[0] === 'settings') return settingLabel(words, parts[1] ?? '');
  }
  return undefined;
}
