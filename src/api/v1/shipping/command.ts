import type { KeyedLicense } from '../../../db/queries/accounts/keyed-licenses.js';
import { dayToCome } from '../../../domain/collect-day.js';
import { carrierNote } from '../../../domain/order-note.js';
import { readPhone } from '../../../domain/phone.js';
import {
  type CollectionPlace,
  houseOf,
  type OrderItem,
  type OrderSnapshot,
  type Recipient,
  type ShipmentDetails,
} from '../../../domain/shipment.js';
import { countryCode, UNKNOWN_COUNTRY } from '../../../lib/countries.js';
import { isObject } from '../../../lib/json.js';
import { wordsOf } from '../../../lib/sent-text.js';
import { cutText } from '../../../lib/text.js';
import { dayInJerusalem } from '../../../lib/time.js';
import { hasLongName, isLarger, MAX_ADDRESS_KIB, MAX_ORDER_KIB } from '../../order-sizes.js';
import type { Input } from '../input.js';
import type { Messages } from '../messages/messages.js';
import type { FieldTexts } from '../validate.js';
import { countryOf } from './country.js';
import { amountAt, flagAt, integerAt, type Loose, objectAt, textAt, wordsAt } from './fields.js';

/** Maximum characters of texts, and packages. */
const MOST = {
  name: 255,
  short: 32,
  // Stores send long second address lines: only `short` characters are stored, carriers get more.
  door: 100,
  phone: 64,
  note: 1000,
  number: 255,
  packages: 99,
  pointId: 64,
} as const;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Checks what the schema of `open_new_order` cannot: street, city and contact name must be in `ship_data` or
 * `order.billing`; invalid amounts and days, more than 99 packages and too large orders are refused.
 */
export function checkOrder(input: Input, say: Messages): FieldTexts {
  const order = objectAt(input, 'order');
  return { ...checkShipData(objectAt(input, 'ship_data'), order, say), ...checkSizes(order, say) };
}

function checkSizes(order: Loose, say: Messages): FieldTexts {
  const documents = { billing: objectAt(order, 'billing'), shipping: objectAt(order, 'shipping') };
  const errors: FieldTexts = {};
  for (const [field, document] of Object.entries(documents)) {
    if (isLarger(document, MAX_ADDRESS_KIB)) {
      errors[`order.${field}`] = [say.tooHeavy(`order.${field}`, MAX_ADDRESS_KIB)];
    }
  }
  if (isLarger({ ...documents, meta_data: order.meta_data }, MAX_ORDER_KIB)) {
    errors.order = [say.tooHeavy('order', MAX_ORDER_KIB)];
  }
  for (const [field, document] of Object.entries({ ...documents, meta_data: order.meta_data })) {
    // MariaDB stores JSON of 32 levels, and an order's documents lie one below the top.
    if (isDeeper(document, 31) || hasLongName(document))
      errors[`order.${field}`] = [say.invalid(`order.${field}`)];
  }
  return errors;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

function checkShipData(ship: Loose, order: Loose, say: Messages): FieldTexts {
  const { street, city, name } = addressOf(ship, objectAt(order, 'billing'));
  const errors: FieldTexts = {};
  const refuse = (field: string, message: (field: string) => string) => {
    errors[`ship_data.${field}`] = [message(`ship_data.${field}`)];
  };
  if (name === null) refuse('contact_name', say.required);
  if (street === null) refuse('street', say.required);
  if (city === null) refuse('city', say.required);
  const phone = phoneOf(ship, objectAt(order, 'billing'));
  if (phone !== null && readPhone(phone) === null) refuse('contact_phone', say.notAPhone);
  const amount = amountAt(ship, 'cod_amount');
  const isCod = flagAt(ship, 'is_cod');
  const isAmount = amount !== undefined && Number(amount ?? 0) >= 0;
  if (isCod !== false && !isAmount) refuse('cod_amount', (field) => say.wrongType(field, 'number'));
  else if (isCod === true && Number(amount ?? 0) <= 0) refuse('cod_amount', say.required);
  if ((integerAt(ship, 'packages') ?? 1) > MOST.packages) {
    refuse('packages', (field) => say.tooLarge(field, MOST.packages));
  }
  const day = textAt(ship, 'exaction_date', MOST.name);
  if (day !== null && !isDay(day)) refuse('exaction_date', say.notADate);
  else if (day !== null && comingDay(day, new Date()) === null) refuse('exaction_date', say.notADayToCome);
  const point = textAt(ship, 'pickup', MOST.name);
  if (point !== null && point.length > MOST.pointId)
    refuse('pickup', (field) => say.tooLong(field, MOST.pointId));
  return errors;
}

/**
 * Converts a validated body; only documented keys are read. `recipient`: the stored recipient, where its fields
 * are shorter than the carrier's.
 */
export function toCommand(
  input: Input,
  license: KeyedLicense,
  { storeSiteId, giftWord, now = new Date() }: { storeSiteId: number | null; giftWord: string; now?: Date },
): { details: ShipmentDetails; order: OrderSnapshot; recipient?: Recipient } {
  const ship = objectAt(input, 'ship_data');
  const order = toOrder(input, license, storeSiteId);
  const note = wordsAt(ship, 'note', MOST.note);
  const { items, metaData } = order;
  const told = carrierNote({ note, metaData, items, giftWord, read: wordsOf }, noteRules(license));
  const wanted = collectFrom(input, license);
  const recipient = toRecipient(ship, objectAt(objectAt(input, 'order'), 'billing'), countryOf(input));
  return {
    order,
    ...recorded(recipient),
    details: {
      serviceType: integerAt(ship, 'type') === 2 ? 2 : 1,
      returnType: integerAt(ship, 'return') === 2 ? 2 : 1,
      recipient,
      carrierOrderNumber: cutText(
        license.orderPrefix + (textAt(ship, 'woo_id', MOST.number) ?? ownNumber(input)),
        MOST.number,
      ),
      packages: Math.max(1, integerAt(ship, 'packages') ?? 1),
      pickupPointId: textAt(ship, 'pickup', MOST.pointId),
      pickupAddress: wordsAt(ship, 'pickup_address', MOST.name),
      note: license.sendNoteOnOrder ? note : null,
      carrierNote: told === null ? null : cutText(told, MOST.note),
      extraNote: wordsAt(ship, 'extra_note', MOST.note),
      collectOn: comingDay(textAt(ship, 'exaction_date', MOST.name), now) ?? dayInJerusalem(now),
      urgent: flagAt(ship, 'urgent') ?? false,
      motor: integerAt(ship, 'motor'),
      collect: flagAt(ship, 'collect') ?? false,
      cod: toCod(ship, order.currency),
      code: textAt(input, 'code', MOST.name),
      ...(wanted === undefined ? {} : { collectFrom: wanted }),
    },
  };
}

/** The collection address in the request; undefined when the license has one, or nobody does. */
function collectFrom(input: Input, license: KeyedLicense): CollectionPlace | undefined {
  if (hasPlace(license.collectFrom)) return undefined;
  const settings = objectAt(input, 'shipment_settings');
  const place = {
    street: wordsAt(settings, 'collect_street', MOST.name) ?? '',
    number: wordsAt(settings, 'collect_street_number', MOST.short) ?? '',
    city: wordsAt(settings, 'collect_city', MOST.name) ?? '',
    company: wordsAt(settings, 'collect_company', MOST.name) ?? '',
  };
  return hasPlace(place) ? place : undefined;
}

/** Whether a collection has a destination. */
export function hasPlace({ city }: CollectionPlace): boolean {
  return city.trim() !== '';
}

function noteRules(license: KeyedLicense) {
  return {
    sendNote: license.sendNoteOnOrder,
    products: license.printProductsOnLabelNotes,
    productSkus: license.printProductsSku,
    variations: license.printVariations,
    virtualProducts: license.printVirtualProductOnNote,
  };
}

function addressOf(ship: Loose, billing: Loose) {
  const names = [wordsAt(billing, 'first_name', MOST.name), wordsAt(billing, 'last_name', MOST.name)];
  const billingName = names.filter((name) => name !== null).join(' ');
  const street = wordsAt(ship, 'street', MOST.name);
  const number = wordsAt(ship, 'number', MOST.door);
  const houseNo = wordsAt(ship, 'house_no', MOST.door);
  const line = wordsAt(billing, 'address_2', MOST.door);
  return {
    name:
      wordsAt(ship, 'contact_name', MOST.name) ??
      (billingName === '' ? null : cutText(billingName, MOST.name)),
    street: street ?? wordsAt(billing, 'address_1', MOST.name),
    // The store's second address line can be the number only if the street came without one.
    ...(street === null
      ? houseOf(number, houseNo, line)
      : houseOf(number ?? (houseNo === null ? line : null), houseNo)),
    city: wordsAt(ship, 'city', MOST.name) ?? wordsAt(billing, 'city', MOST.name),
  };
}

/** The first phone that can be dialled, else the first non-empty one. */
function phoneOf(ship: Loose, billing: Loose): string | null {
  const phones = [wordsAt(ship, 'contact_phone', MOST.phone), wordsAt(billing, 'phone', MOST.phone)].filter(
    (phone) => phone !== null,
  );
  return phones.find((phone) => readPhone(phone) !== null) ?? phones[0] ?? null;
}

function toRecipient(ship: Loose, billing: Loose, country: string): Recipient {
  const { name, ...address } = addressOf(ship, billing);
  return {
    ...address,
    name: name ?? '',
    phone: phoneOf(ship, billing) ?? '',
    email: textAt(ship, 'contact_mail', MOST.name) ?? textAt(billing, 'email', MOST.name),
    company: wordsAt(ship, 'company', MOST.name) ?? wordsAt(billing, 'company', MOST.name),
    entrance: wordsAt(ship, 'entrance', MOST.door),
    floor: wordsAt(ship, 'floor', MOST.door),
    apartment: wordsAt(ship, 'apartment', MOST.door),
    state: null,
    zip: null,
    country,
  };
}

function recorded(told: Recipient): { recipient?: Recipient } {
  const short = (text: string | null) => (text === null ? null : cutText(text, MOST.short));
  const { number, entrance, floor, apartment } = told;
  const country = countryCode(told.country) ?? UNKNOWN_COUNTRY;
  const isWhole =
    country === told.country && [number, entrance, floor, apartment].every((text) => short(text) === text);
  if (isWhole) return {};
  const doors = { entrance: short(entrance), floor: short(floor), apartment: short(apartment) };
  return { recipient: { ...told, number: short(number), ...doors, country } };
}

function ownNumber(input: Input): string {
  const order = objectAt(input, 'order');
  return textAt(order, 'number', MOST.number) ?? textAt(order, 'id', MOST.number) ?? '';
}

function toOrder(input: Input, license: KeyedLicense, storeSiteId: number | null): OrderSnapshot {
  const order = objectAt(input, 'order');
  const currency = textAt(order, 'currency', 3)?.toUpperCase() ?? '';
  const items = Array.isArray(input.order_items) ? input.order_items : [];
  return {
    id: textAt(order, 'id', 191) ?? '',
    number: cutText(license.orderPrefix + ownNumber(input), MOST.number),
    status: textAt(order, 'status', 64),
    source: textAt(order, 'source', 64) ?? '',
    total: amountAt(order, 'total') ?? '0.00',
    currency: CURRENCIES.has(currency) ? currency : 'ILS',
    externalId: textAt(order, 'external_id', 191),
    billing: { ...objectAt(order, 'billing') },
    shipping: { ...objectAt(order, 'shipping') },
    metaData: order.meta_data ?? null,
    items: items.filter(isObject).map(toItem),
    storeSiteId,
  };
}

function toItem(item: Loose): OrderItem {
  return {
    name: wordsAt(item, 'name', MOST.note) ?? '',
    quantity: integerAt(item, 'quantity') ?? 1,
    total: amountAt(item, 'total') ?? null,
    sku: textAt(item, 'sku', MOST.name),
    variation: wordsAt(item, 'variation', MOST.note),
    virtual: flagAt(item, 'virtual') ?? flagAt(item, 'is_virtual') ?? false,
  };
}

/** An amount counts without `is_cod`, but not with an explicit no. */
function toCod(ship: Loose, currency: string): ShipmentDetails['cod'] {
  const amount = amountAt(ship, 'cod_amount');
  if (amount === undefined || amount === null || Number(amount) <= 0) return null;
  return flagAt(ship, 'is_cod') === false ? null : { amount, currency };
}

/** Null for no day, and for one that has passed or is too far ahead. */
function comingDay(day: string | null, now: Date): string | null {
  const today = dayInJerusalem(now);
  return day === null ? null : dayToCome(day, { requested: today, today });
}

function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
