import type { FieldErrors } from '../../domain/problems/problem.js';
import type { JsonObject } from '../../domain/shipment.js';
import { israelToIso } from '../../lib/israel-time.js';
import { DAY_MS, dayInJerusalem, israelWallClock } from '../../lib/time.js';
import { checkDoor, doorNote } from '../addresses.js';
import { BookingProblems, USUAL_LIMITS } from '../booking-problems.js';
import type { BookingRequest, StreetAddress } from '../contract.js';
import { filled } from '../json.js';
import { clean, cut, localPhone, words } from '../text.js';
import type { WoltConfig } from './config.js';
import type { WoltPromise } from './replies.js';

type Settings = WoltConfig['settings'];

/** Converts an Israeli number to the international form that the carrier requires; foreign ones stay. */
function phoneOf(phone: string): string {
  return localPhone(phone).replace(/^0/, '+972');
}

/** When the parcel should be ready or arrive. `day` is Y-m-d; null means as soon as possible. */
function timing(
  settings: Settings,
  day: string | null,
  now: Date,
): { preparation?: number; dropoff?: string } {
  const { time_type, time_slot, min_preparation_time_minutes: preparation } = settings;
  if (time_type === 'time_slot' && time_slot !== undefined) {
    const today = israelWallClock(now.getTime()).date;
    const asked = day === null || day <= dayInJerusalem(now) ? today : day.split('-').toReversed().join('/');
    const tomorrow = israelWallClock(now.getTime() + DAY_MS).date;
    const first = israelToIso(asked, time_slot);
    const dropoff = first !== null && first > now.toISOString() ? first : israelToIso(tomorrow, time_slot);
    return dropoff === null ? {} : { dropoff: dropoff.replace('000Z', 'Z') };
  }
  return preparation === undefined ? {} : { preparation };
}

/** Body of a promise. */
export function promiseBody(
  to: StreetAddress & { zip?: string | null },
  { settings }: WoltConfig,
  day: string | null,
  now: Date,
): JsonObject {
  const { preparation, dropoff } = timing(settings, day, now);
  const options = filled<string | number>({
    post_code: clean(to.zip),
    min_preparation_time_minutes: preparation,
    scheduled_dropoff_time: dropoff,
  });
  return { street: words(clean(to.street), clean(to.number)), city: clean(to.city), ...options };
}

/** Body of a delivery with the promise's place and price and our reference. */
export function deliveryBody(
  { reference, orderNumber, shipment }: BookingRequest,
  promise: WoltPromise,
  { settings }: WoltConfig,
  now: Date,
): JsonObject {
  const { recipient, packages } = shipment;
  const { preparation, dropoff } = timing(settings, shipment.collectOn, now);
  const order = cut(clean(orderNumber), 64);
  const { support_email: email, support_phone: phone } = settings;
  const support = filled({ email, phone_number: phoneOf(phone ?? '') });
  return {
    shipment_promise_id: promise.id,
    ...(preparation === undefined
      ? {}
      : { pickup: { options: { min_preparation_time_minutes: preparation } } }),
    dropoff: {
      location: { coordinates: promise.coordinates },
      ...filled({ comment: doorNote(shipment).text }),
      options: { is_no_contact: false, ...filled({ scheduled_time: dropoff }) },
    },
    price: promise.price,
    recipient: {
      name: cut(clean(recipient.name), 100),
      phone_number: phoneOf(recipient.phone),
      ...filled({ email: clean(recipient.email) }),
    },
    parcels: [{ count: packages, description: words('הזמנה', order), identifier: order || reference }],
    ...(Object.keys(support).length === 0 ? {} : { customer_support: support }),
    merchant_order_reference_id: reference,
    ...filled({ order_number: order }),
  };
}

/** Reasons why this carrier cannot book the shipment: JSON path → messages. Sends nothing. */
export function checkShipment(
  { shipment }: BookingRequest,
  { settings }: WoltConfig,
  now: Date,
): FieldErrors {
  const problems = new BookingProblems();
  const { recipient, serviceType, pickupPointId, cod, returnType, collectOn } = shipment;
  const texts = {
    'ship_data.contact_name': clean(recipient.name),
    'ship_data.contact_phone': phoneOf(recipient.phone),
    'ship_data.city': clean(recipient.city),
    'ship_data.street': clean(recipient.street),
  };
  problems.require(texts);
  problems.fit(USUAL_LIMITS, texts);
  checkDoor(problems, shipment);
  problems.reportIf(serviceType === 2, 'ship_data.type', 'carrier_collects_from_venue');
  problems.reportIf(pickupPointId !== null, 'ship_data.pickup', 'carrier_without_points');
  problems.reportIf(cod !== null, 'ship_data.cod_amount', 'carrier_without_cash');
  problems.reportIf(returnType === 2, 'ship_data.return', 'carrier_without_round_trips');
  const isLater = collectOn > dayInJerusalem(now);
  problems.reportIf(
    isLater && settings.time_type !== 'time_slot',
    'ship_data.exaction_date',
    'carrier_comes_at_once',
  );
  return problems.errors;
}
