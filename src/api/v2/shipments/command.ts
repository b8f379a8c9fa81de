import type { Static } from 'typebox';
import type { IdempotencyRef } from '../../../contracts/create-shipment.js';
import type { LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import type { ShipmentFilter } from '../../../db/queries/shipments/shipment-lists.js';
import { DAYS_AHEAD, dayToCome } from '../../../domain/collect-day.js';
import { fitsAmount, toDecimal } from '../../../domain/decimal.js';
import { validationError } from '../../../domain/errors.js';
import { readPhone } from '../../../domain/phone.js';
import { type FieldErrors, problemAt, type Rule, type ValuesOf } from '../../../domain/problems/problem.js';
import {
  houseOf,
  type JsonObject,
  type Money,
  type OrderItem,
  type OrderSnapshot,
  type Recipient,
  type ShipmentDetails,
} from '../../../domain/shipment.js';
import { SHIPMENT_SORTS, type ShipmentSort } from '../../../domain/shipment-list.js';
import { countryCode, UNKNOWN_COUNTRY } from '../../../lib/countries.js';
import { wordsOf } from '../../../lib/sent-text.js';
import { cutText, textOf } from '../../../lib/text.js';
import { dayInJerusalem } from '../../../lib/time.js';
import { idempotencyOf } from '../../idempotency.js';
import { hasLongName, isLarger, MAX_ADDRESS_KIB, MAX_NAME, MAX_ORDER_KIB } from '../../order-sizes.js';
import type { CreateShipmentRequest } from './create-schema.js';
import { toMoment } from './moment.js';
import type { ListShipmentsQuery } from './schema.js';
import { creationFingerprint } from './sent-body.js';

type ShipData = CreateShipmentRequest['ship_data'];
type OrderInput = CreateShipmentRequest['order'];

const DEFAULT_CURRENCY = 'ILS';
const DEFAULT_COUNTRY = 'IL';
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The key of a creation. `body`: as sent; `headerValues`: of `Idempotency-Key`. @throws as {@link idempotencyOf} */
export function creationKey(
  body: unknown,
  headerValues: readonly string[],
  config: Parameters<typeof idempotencyOf>[1],
): IdempotencyRef {
  return idempotencyOf({ fingerprint: creationFingerprint(body), headerValues }, config);
}

/**
 * Converts a validated body of `readSentBody`; only named fields are read. `requestedAt`: when a waiting
 * request was sent, because a day that was in the future then is still valid. @throws AppError
 * `validation_failed` for what a schema cannot say: missing street or city, amounts to collect, sizes of
 * passed-through objects, currencies
 */
export function toCommand(
  { ship_data: ship, order }: CreateShipmentRequest,
  license: Pick<LicenseSummary, 'orderPrefix' | 'sendNoteOnOrder'>,
  { now = new Date(), requestedAt = now }: { now?: Date; requestedAt?: Date } = {},
): { details: ShipmentDetails; recipient: Recipient; order: OrderSnapshot } {
  const today = dayInJerusalem(now);
  const sent = ship.exaction_date;
  // Null for a day that has passed or is too far ahead.
  const day = sent == null ? today : dayToCome(sent, { today, requested: dayInJerusalem(requestedAt) });
  const fields = check(ship, order, day);
  if (Object.keys(fields).length > 0) throw validationError(fields);
  const snapshot = toOrder(order);
  const recipient = toRecipient(ship);
  return {
    order: snapshot,
    recipient: recipientSnapshot(recipient, snapshot.shipping),
    details: {
      serviceType: ship.type === 1 ? 1 : 2,
      returnType: ship.return === 1 ? 1 : 2,
      recipient,
      carrierOrderNumber: `${license.orderPrefix}${textOf(ship.woo_id) ?? snapshot.number}`,
      packages: ship.packages ?? 1,
      pickupPointId: textOf(ship.pickup),
      pickupAddress: textOf(ship.pickup_address),
      note: license.sendNoteOnOrder ? textOf(ship.note) : null,
      extraNote: textOf(ship.extra_note),
      collectOn: day ?? today,
      urgent: isSet(ship.urgent),
      motor: ship.motor ?? null,
      collect: isSet(ship.collect),
      cod: toCod(ship, snapshot.currency),
    },
  };
}

/**
 * The stored recipient: the order's `shipping` block over `ship_data`, key by key; carrier and label use only
 * `ship_data`. Values that are no text or number, or too long, are ignored, because the store chooses the
 * block's keys.
 */
export function recipientSnapshot(recipient: Recipient, shipping: JsonObject): Recipient {
  const over = (key: string, maxLength: number) => overrideOf(shipping[key], maxLength);
  const names = [over('first_name', 255), over('last_name', 255)].filter((name) => name !== null);
  const phone = over('phone', 64);
  return {
    ...recipient,
    name: names.length === 0 ? recipient.name : cutText(names.join(' '), 255),
    phone: phone !== null && readPhone(phone) !== null ? phone : recipient.phone,
    company: over('company', 255) ?? recipient.company,
    street: over('address_1', 255) ?? recipient.street,
    number: over('address_2', 32) ?? recipient.number,
    city: over('city', 255) ?? recipient.city,
    state: over('state', 255) ?? recipient.state,
    zip: over('postcode', 32) ?? recipient.zip,
    country: countryOf(shipping) ?? recipient.country,
  };
}

/** The country that the block names; null where it names none, {@link UNKNOWN_COUNTRY} for what is none. */
function countryOf({ country }: JsonObject): string | null {
  const said = typeof country === 'string' || typeof country === 'number' ? wordsOf(String(country)) : '';
  return said === '' ? null : (countryCode(said) ?? UNKNOWN_COUNTRY);
}

function overrideOf(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = wordsOf(String(value));
  return text === '' || Array.from(text).length > maxLength ? null : text;
}

function check(ship: ShipData, order: OrderInput, day: string | null): FieldErrors {
  const fields: FieldErrors = {};
  const refuse = <R extends Rule>(path: string, rule: R, ...values: ValuesOf<R>) => {
    fields[path] = [problemAt(path, rule, ...values)];
  };
  if (day === null) refuse('ship_data.exaction_date', 'collect_day', { days: DAYS_AHEAD });
  if (readPhone(ship.contact_phone) === null) {
    refuse('ship_data.contact_phone', 'phone');
  }
  if (textOf(ship.pickup) === null) {
    for (const field of ['street', 'city'] as const) {
      if (textOf(ship[field]) === null) {
        refuse(`ship_data.${field}`, 'required_unless', { other: 'ship_data.pickup' });
      }
    }
  }
  if (ship.is_cod != null && isSet(ship.is_cod) && !isPositive(ship.cod_amount)) {
    refuse('ship_data.cod_amount', 'cash_above_zero');
  }
  if (ship.cod_amount != null && Number(ship.cod_amount) < 0) {
    refuse('ship_data.cod_amount', 'minimum', { limit: 0 });
  }
  for (const field of ['billing', 'shipping'] as const) {
    if (isLarger(order[field], MAX_ADDRESS_KIB)) {
      refuse(`order.${field}`, 'size', { limit: MAX_ADDRESS_KIB });
    }
  }
  if (hasLongName(order.meta_data)) {
    refuse('order.meta_data', 'long_names', { limit: MAX_NAME });
  }
  if (isLarger(order, MAX_ORDER_KIB)) {
    refuse('order', 'size', { limit: MAX_ORDER_KIB });
  }
  if (countryOf(order.shipping ?? {}) === UNKNOWN_COUNTRY) {
    refuse('order.shipping.country', 'country');
  }
  if (order.currency != null && !CURRENCIES.has(order.currency)) {
    refuse('order.currency', 'currency');
  }
  const amounts: [path: string, amount: string | number | null | undefined][] = [
    ['ship_data.cod_amount', ship.cod_amount],
    ['order.total', order.total],
    ...(order.items ?? []).map(({ total }, index): [string, typeof total] => [
      `order.items.${index}.total`,
      total,
    ]),
  ];
  for (const [path, amount] of amounts) {
    if (amount != null && !fitsAmount(toDecimal(amount))) {
      refuse(path, 'amount_digits');
    }
  }
  return fields;
}

function toRecipient(ship: ShipData): Recipient {
  return {
    name: ship.contact_name,
    phone: ship.contact_phone,
    email: textOf(ship.contact_mail),
    company: textOf(ship.company),
    street: textOf(ship.street),
    ...houseOf(textOf(ship.number), textOf(ship.house_no)),
    entrance: textOf(ship.entrance),
    floor: textOf(ship.floor),
    apartment: textOf(ship.apartment),
    city: textOf(ship.city),
    state: null,
    zip: null,
    country: DEFAULT_COUNTRY,
  };
}

function toOrder(order: OrderInput): OrderSnapshot {
  const { id } = order;
  return {
    id,
    number: textOf(order.number) ?? id,
    status: textOf(order.status),
    source: textOf(order.source) ?? '',
    total: order.total == null ? '0.00' : toDecimal(order.total),
    currency: order.currency ?? DEFAULT_CURRENCY,
    externalId: textOf(order.external_id),
    billing: order.billing ?? {},
    shipping: order.shipping ?? {},
    metaData: order.meta_data ?? null,
    items: (order.items ?? []).map(toItem),
  };
}

function toItem(item: NonNullable<OrderInput['items']>[number]): OrderItem {
  return {
    name: item.name,
    quantity: item.quantity,
    total: item.total == null ? null : toDecimal(item.total),
    sku: textOf(item.sku),
    variation: textOf(item.variation),
    virtual: isSet(item.virtual),
  };
}

/** The amount to collect; it counts without `is_cod`, but not with `is_cod: false`. */
function toCod(ship: ShipData, currency: string): Money | null {
  if (ship.cod_amount == null || !isPositive(ship.cod_amount)) return null;
  if (ship.is_cod != null && !isSet(ship.is_cod)) return null;
  return { amount: toDecimal(ship.cod_amount), currency };
}

function isPositive(amount: string | number | null | undefined): boolean {
  return amount != null && Number(toDecimal(amount)) > 0;
}

function isSet(flag: boolean | 0 | 1 | null | undefined): boolean {
  return flag === true || flag === 1;
}

/** The filter of a validated list query. @throws AppError `validation_failed` for days that do not exist */
export function toFilter(query: Static<typeof ListShipmentsQuery>): ShipmentFilter {
  const filter: ShipmentFilter = {};
  const type = query['filter[type]'];
  const from = query['filter[created_from]'];
  const to = query['filter[created_to]'];
  if (query['filter[active]'] !== undefined) filter.active = query['filter[active]'];
  if (type !== undefined) filter.serviceType = type === 1 ? 1 : 2;
  if (query['filter[status]'] !== undefined) filter.status = query['filter[status]'];
  if (query['filter[label_generated]'] !== undefined)
    filter.labelGenerated = query['filter[label_generated]'];
  if (query['filter[order_id]'] !== undefined) filter.orderId = query['filter[order_id]'];
  if (query['filter[tracking_code]'] !== undefined) filter.trackingCode = query['filter[tracking_code]'];
  if (from !== undefined) filter.createdFrom = toMoment('filter[created_from]', from, false);
  if (to !== undefined) filter.createdTo = toMoment('filter[created_to]', to, true);
  return filter;
}

export function toSort(sort = '-created_at'): { column: ShipmentSort; descending: boolean } {
  const descending = sort.startsWith('-');
  const column = descending ? sort.slice(1) : sort;
  return { column: SHIPMENT_SORTS.find((one) => one === column) ?? 'created_at', descending };
}
