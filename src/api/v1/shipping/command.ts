import type { KeyedLicense } from '../../../db/queries/accounts/keyed-licenses.js';
import { dayToCome } from '../../../domain/collect-day.js';
import type { FieldErrors } from '../../../domain/errors.js';
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
import { wordsOf } from '../../../lib/sent-text.js';
import { cutText } from '../../../lib/text.js';
import { dayInJerusalem } from '../../../lib/time.js';
import { hasLongName, isLarger, MAX_ADDRESS_KIB, MAX_ORDER_KIB } from '../../order-sizes.js';
import { type Input, isObject } from '../input.js';
import type { Messages } from '../messages/messages.js';
import { amountAt, flagAt, integerAt, type Loose, objectAt, textAt, wordsAt } from './fields.js';

const NAME = 255;
const SHORT = 32;
/** Stores send long second address lines. Only SHORT characters are stored; carriers get more. */
const DOOR = 100;
const PHONE = 64;
const NOTE = 1000;
const NUMBER = 255;
const MAX_PACKAGES = 99;
const POINT_ID = 64;
/** MariaDB stores 32 levels of JSON, and an order's documents start at the second. */
const MAX_LEVELS = 31;
const DEFAULT_COUNTRY = 'IL';
const DEFAULT_CURRENCY = 'ILS';
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * Checks what the schema of `open_new_order` cannot: street, city and contact name must be in `ship_data` or
 * `order.billing`; invalid amounts and days, more than 99 packages and too large orders are refused.
 */
export function checkOrder(input: Input, say: Messages): FieldErrors {
  const order = objectAt(input, 'order');
  return { ...checkShipData(objectAt(input, 'ship_data'), order, say), ...checkSizes(order, say) };
}

function checkSizes(order: Loose, say: Messages): FieldErrors {
  const documents = { billing: objectAt(order, 'billing'), shipping: objectAt(order, 'shipping') };
  const errors: FieldErrors = {};
  for (const [field, document] of Object.entries(documents)) {
    if (isLarger(document, MAX_ADDRESS_KIB)) {
      errors[`order.${field}`] = [say.tooHeavy(`order.${field}`, MAX_ADDRESS_KIB)];
    }
  }
  if (isLarger({ ...documents, meta_data: order.meta_data }, MAX_ORDER_KIB)) {
    errors.order = [say.tooHeavy('order', MAX_ORDER_KIB)];
  }
  for (const [field, document] of Object.entries({ ...documents, meta_data: order.meta_data })) {
    if (isDeeper(document, MAX_LEVELS) || hasLongName(document))
      errors[`order.${field}`] = [say.invalid(`order.${field}`)];
  }
  return errors;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

function checkShipData(ship: Loose, order: Loose, say: Messages): FieldErrors {
  const { street, city, name } = addressOf(ship, objectAt(order, 'billing'));
  const errors: FieldErrors = {};
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
  if ((integerAt(ship, 'packages') ?? 1) > MAX_PACKAGES) {
    refuse('packages', (field) => say.tooLarge(field, MAX_PACKAGES));
  }
  const day = textAt(ship, 'exaction_date', NAME);
  if (day !== null && !isDay(day)) refuse('exaction_date', say.notADate);
  else if (day !== null && comingDay(day, new Date()) === null) refuse('exaction_date', say.notADayToCome);
  const point = textAt(ship, 'pickup', NAME);
  if (point !== null && point.length > POINT_ID) refuse('pickup', (field) => say.tooLong(field, POINT_ID));
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
  const note = wordsAt(ship, 'note', NOTE);
  const { items, metaData } = order;
  const told = carrierNote({ note, metaData, items, giftWord, read: wordsOf }, noteRules(license));
  const wanted = collectFrom(input, license);
  const recipient = toRecipient(ship, objectAt(objectAt(input, 'order'), 'billing'));
  return {
    order,
    ...recorded(recipient),
    details: {
      serviceType: integerAt(ship, 'type') === 2 ? 2 : 1,
      returnType: integerAt(ship, 'return') === 2 ? 2 : 1,
      recipient,
      carrierOrderNumber: cutText(
        license.orderPrefix + (textAt(ship, 'woo_id', NUMBER) ?? ownNumber(input)),
        NUMBER,
      ),
      packages: Math.max(1, integerAt(ship, 'packages') ?? 1),
      pickupPointId: textAt(ship, 'pickup', POINT_ID),
      pickupAddress: wordsAt(ship, 'pickup_address', NAME),
      note: license.sendNoteOnOrder ? note : null,
      carrierNote: told === null ? null : cutText(told, NOTE),
      extraNote: wordsAt(ship, 'extra_note', NOTE),
      collectOn: comingDay(textAt(ship, 'exaction_date', NAME), now) ?? dayInJerusalem(now),
      urgent: flagAt(ship, 'urgent') ?? false,
      motor: integerAt(ship, 'motor'),
      collect: flagAt(ship, 'collect') ?? false,
      cod: toCod(ship, order.currency),
      code: textAt(input, 'code', NAME),
      ...(wanted === undefined ? {} : { collectFrom: wanted }),
    },
  };
}

/** The collection address in the request; undefined when the license has one, or nobody does. */
export function collectFrom(input: Input, license: KeyedLicense): CollectionPlace | undefined {
  if (hasPlace(license.collectFrom)) return undefined;
  const settings = objectAt(input, 'shipment_settings');
  const place = {
    street: wordsAt(settings, 'collect_street', NAME) ?? '',
    number: wordsAt(settings, 'collect_street_number', SHORT) ?? '',
    city: wordsAt(settings, 'collect_city', NAME) ?? '',
    company: wordsAt(settings, 'collect_company', NAME) ?? '',
  };
  return hasPlace(place) ? place : undefined;
}

/** Whether a collection has a destination. */
export function canCollect(input: Input, license: KeyedLicense): boolean {
  return hasPlace(license.collectFrom) || collectFrom(input, license) !== undefined;
}

function hasPlace({ city }: CollectionPlace): boolean {
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
  const names = [wordsAt(billing, 'first_name', NAME), wordsAt(billing, 'last_name', NAME)];
  const billingName = names.filter((name) => name !== null).join(' ');
  const street = wordsAt(ship, 'street', NAME);
  const number = wordsAt(ship, 'number', DOOR);
  const houseNo = wordsAt(ship, 'house_no', DOOR);
  const line = wordsAt(billing, 'address_2', DOOR);
  return {
    name: wordsAt(ship, 'contact_name', NAME) ?? (billingName === '' ? null : cutText(billingName, NAME)),
    street: street ?? wordsAt(billing, 'address_1', NAME),
    // The store's second address line can be the number only if the street came without one.
    ...(street === null
      ? houseOf(number, houseNo, line)
      : houseOf(number ?? (houseNo === null ? line : null), houseNo)),
    city: wordsAt(ship, 'city', NAME) ?? wordsAt(billing, 'city', NAME),
  };
}

/** The first phone that can be dialled, else the first non-empty one. */
function phoneOf(ship: Loose, billing: Loose): string | null {
  const phones = [wordsAt(ship, 'contact_phone', PHONE), wordsAt(billing, 'phone', PHONE)].filter(
    (phone) => phone !== null,
  );
  return phones.find((phone) => readPhone(phone) !== null) ?? phones[0] ?? null;
}

function toRecipient(ship: Loose, billing: Loose): Recipient {
  const { name, ...address } = addressOf(ship, billing);
  return {
    ...address,
    name: name ?? '',
    phone: phoneOf(ship, billing) ?? '',
    email: textAt(ship, 'contact_mail', NAME) ?? textAt(billing, 'email', NAME),
    company: wordsAt(ship, 'company', NAME) ?? wordsAt(billing, 'company', NAME),
    entrance: wordsAt(ship, 'entrance', DOOR),
    floor: wordsAt(ship, 'floor', DOOR),
    apartment: wordsAt(ship, 'apartment', DOOR),
    state: null,
    zip: null,
    country: DEFAULT_COUNTRY,
  };
}

function recorded(told: Recipient): { recipient?: Recipient } {
  const short = (text: string | null) => (text === null ? null : cutText(text, SHORT));
  const { number, entrance, floor, apartment } = told;
  const isWhole = [number, entrance, floor, apartment].every((text) => short(text) === text);
  if (isWhole) return {};
  const doors = { entrance: short(entrance), floor: short(floor), apartment: short(apartment) };
  return { recipient: { ...told, number: short(number), ...doors } };
}

function ownNumber(input: Input): string {
  const order = objectAt(input, 'order');
  return textAt(order, 'number', NUMBER) ?? textAt(order, 'id', NUMBER) ?? '';
}

function toOrder(input: Input, license: KeyedLicense, storeSiteId: number | null): OrderSnapshot {
  const order = objectAt(input, 'order');
  const currency = textAt(order, 'currency', 3)?.toUpperCase() ?? '';
  const items = Array.isArray(input.order_items) ? input.order_items : [];
  return {
    id: textAt(order, 'id', 191) ?? '',
    number: cutText(license.orderPrefix + ownNumber(input), NUMBER),
    status: textAt(order, 'status', 64),
    source: textAt(order, 'source', 64) ?? '',
    total: amountAt(order, 'total') ?? '0.00',
    currency: CURRENCIES.has(currency) ? currency : DEFAULT_CURRENCY,
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
    name: wordsAt(item, 'name', NOTE) ?? '',
    quantity: integerAt(item, 'quantity') ?? 1,
    total: amountAt(item, 'total') ?? null,
    sku: textAt(item, 'sku', NAME),
    variation: wordsAt(item, 'variation', NOTE),
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
