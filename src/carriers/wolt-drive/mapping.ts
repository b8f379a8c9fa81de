import type { FieldErrors } from '../../domain/errors.js';
import type { JsonObject, Recipient } from '../../domain/shipment.js';
import type { BookingRequest, FieldLimit, StreetAddress } from '../contract.js';
import { israelToIso, israelWallClock } from '../israel-time.js';
import { cut, lengthOf, localPhone, plainText } from '../text.js';
import type { WoltConfig } from './config.js';
import type { WoltPromise } from './replies.js';

type Settings = WoltConfig['settings'];

/** The carrier publishes no greatest lengths: these are this project's own caution. */
export const WOLT_LIMITS = [
  { path: 'ship_data.contact_name', maxLength: 100, whenTooLong: 'cut' },
  { path: 'ship_data.city', maxLength: 100, whenTooLong: 'report' },
  { path: 'ship_data.street', maxLength: 150, whenTooLong: 'report' },
  { path: 'ship_data.contact_phone', maxLength: 20, whenTooLong: 'report' },
  { path: 'ship_data.note', maxLength: 500, whenTooLong: 'cut' },
] as const satisfies readonly FieldLimit[];

const DAY_MS = 86_400_000;

const clean = (text: string | null | undefined): string => plainText(text ?? '');
const words = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ');

/** An Israeli number in international form, which the carrier wants; foreign ones stay as they are. */
function phoneOf(phone: string): string {
  return localPhone(phone).replace(/^0/, '+972');
}

/** The address of a recipient. */
export function addressOf({ city, street, number }: Recipient): StreetAddress {
  return { city: city ?? '', street: street ?? '', number };
}

/** When the parcel should be ready, or arrive. `day` is the Y-m-d asked for; null: as soon as it goes. */
function timing(
  settings: Settings,
  day: string | null,
  now: Date,
): { preparation?: number; dropoff?: string } {
  const { time_type, time_slot, min_preparation_time_minutes: preparation } = settings;
  if (time_type === 'time_slot' && time_slot !== undefined) {
    const today = israelWallClock(now.getTime()).date;
    const asked = day === null || day <= isoDay(today) ? today : day.split('-').toReversed().join('/');
    const tomorrow = israelWallClock(now.getTime() + DAY_MS).date;
    const first = israelToIso(asked, time_slot);
    const dropoff = first !== null && first > now.toISOString() ? first : israelToIso(tomorrow, time_slot);
    return dropoff === null ? {} : { dropoff: dropoff.replace('000Z', 'Z') };
  }
  return preparation === undefined ? {} : { preparation };
}

function isoDay(slashDate: string): string {
  return slashDate.split('/').toReversed().join('-');
}

/** Body of a promise. */
export function promiseBody(
  to: StreetAddress & { zip?: string | null },
  { settings }: WoltConfig,
  day: string | null,
  now: Date,
): JsonObject {
  const { preparation, dropoff } = timing(settings, day, now);
  const zip = clean(to.zip);
  return {
    street: words(clean(to.street), clean(to.number)),
    city: clean(to.city),
    ...(zip === '' ? {} : { post_code: zip }),
    ...(preparation === undefined ? {} : { min_preparation_time_minutes: preparation }),
    ...(dropoff === undefined ? {} : { scheduled_dropoff_time: dropoff }),
  };
}

/** Body of a delivery at the place and the price of its promise, under our reference. */
export function deliveryBody(
  { reference, orderNumber, shipment }: BookingRequest,
  promise: WoltPromise,
  { settings }: WoltConfig,
  now: Date,
): JsonObject {
  const { recipient, packages, note, extraNote } = shipment;
  const { preparation, dropoff } = timing(settings, shipment.collectOn, now);
  const labelled = (label: string, text: string | null) =>
    clean(text) === '' ? '' : `${label} ${clean(text)}`;
  const comment = words(
    labelled('כניסה', recipient.entrance),
    labelled('קומה', recipient.floor),
    labelled('דירה', recipient.apartment),
    clean(recipient.company),
    clean(note),
    clean(extraNote),
  );
  const order = cut(clean(orderNumber), 64);
  const email = clean(recipient.email);
  const { support_email: supportEmail, support_phone: supportPhone } = settings;
  const support = {
    ...(supportEmail === undefined ? {} : { email: supportEmail }),
    ...(supportPhone === undefined ? {} : { phone_number: phoneOf(supportPhone) }),
  };
  return {
    shipment_promise_id: promise.id,
    ...(preparation === undefined
      ? {}
      : { pickup: { options: { min_preparation_time_minutes: preparation } } }),
    dropoff: {
      location: { coordinates: promise.coordinates },
      ...(comment === '' ? {} : { comment: cut(comment, 500) }),
      options: { is_no_contact: false, ...(dropoff === undefined ? {} : { scheduled_time: dropoff }) },
    },
    price: promise.price,
    recipient: {
      name: cut(clean(recipient.name), 100),
      phone_number: phoneOf(recipient.phone),
      ...(email === '' ? {} : { email }),
    },
    parcels: [{ count: packages, description: words('הזמנה', order), identifier: order || reference }],
    ...(Object.keys(support).length === 0 ? {} : { customer_support: support }),
    merchant_order_reference_id: reference,
    ...(order === '' ? {} : { order_number: order }),
  };
}

/** What cannot be booked with this carrier as it stands: JSON path → messages. Nothing is sent. */
export function checkShipment(
  { shipment }: BookingRequest,
  { settings }: WoltConfig,
  now: Date,
): FieldErrors {
  const errors: FieldErrors = {};
  const report = (path: string, message: string) => {
    errors[path] = [...(errors[path] ?? []), message];
  };
  const { recipient } = shipment;
  const fields: [string, string][] = [
    ['ship_data.contact_name', clean(recipient.name)],
    ['ship_data.contact_phone', phoneOf(recipient.phone)],
    ['ship_data.city', clean(recipient.city)],
    ['ship_data.street', clean(recipient.street)],
  ];
  for (const [path, text] of fields) {
    if (text === '') report(path, `The ${path} field is required by the carrier.`);
    const limit = WOLT_LIMITS.find((one) => one.path === path && one.whenTooLong === 'report');
    if (limit === undefined || lengthOf(text) <= limit.maxLength) continue;
    report(path, `The carrier takes at most ${limit.maxLength} characters in ${path}.`);
  }
  if (shipment.serviceType === 2) report('ship_data.type', 'The carrier collects from the venue only.');
  if (shipment.pickupPointId !== null) report('ship_data.pickup', 'The carrier has no pickup points.');
  if (shipment.cod !== null) report('ship_data.cod', 'Cash on delivery is not offered with this carrier.');
  if (shipment.returnType === 2) report('ship_data.return', 'The carrier has no round trips.');
  const isLater = shipment.collectOn > isoDay(israelWallClock(now.getTime()).date);
  if (isLater && settings.time_type !== 'time_slot') {
    report(
      'ship_data.exaction_date',
      'The carrier comes at once: a later day needs a time slot in the settings.',
    );
  }
  return errors;
}
