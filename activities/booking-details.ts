import type { CarrierAdapter } from '../src/carriers/contract.js';
import type { BookInput } from '../src/contracts/create-shipment.js';
import { type BookedPoint, findBookedPoint } from '../src/db/queries/pickup-points.js';
import type { Recipient, ShipmentDetails } from '../src/domain/shipment.js';
import { timeOfUuidV7 } from '../src/lib/ids.js';
import { dayInJerusalem } from '../src/lib/time.js';
import { isRenewalMissed, renewCopy } from '../src/services/list-pickup-points.js';
import type { CarrierApp } from './carrier-slots.js';
import type { Signaller } from './retry-reports.js';

/** `pointProblem`: what is against the pickup point; null where nothing is, or only the carrier can tell. */
export interface BookingDetails {
  details: ShipmentDetails;
  pointProblem: string | null;
}

/** What the carrier is sent. A parcel for a pickup point goes to where the stored copy says that it is. */
export async function bookingDetails(
  app: CarrierApp & { temporal: Signaller },
  { creation }: Pick<BookInput, 'creation'>,
  adapter: Pick<CarrierAdapter, 'pickupPoints'>,
): Promise<BookingDetails> {
  const { details } = creation;
  const { recipient, pickupPointId: pointId, pickupAddress, note, carrierNote = note } = details;
  const sent = {
    ...details,
    note: carrierNote,
    collectOn: dayToCollect(details.collectOn, creation.shipmentUuid),
  };
  if (pointId === null) return { details: sent, pointProblem: null };
  if (adapter.pickupPoints === undefined) {
    return { details: sent, pointProblem: pickupAddress === null ? NO_LIST : null };
  }
  const { accountId, licenseId, carrier } = creation;
  const copy = await findBookedPoint(app.db, { licenseId, carrierId: carrier.id, pointId });
  const isOld = copy === null || isRenewalMissed(copy);
  if (isOld) renewCopy(app, accountId, { id: licenseId, carrier });
  if (copy?.point != null) {
    return { details: { ...sent, recipient: atPoint(recipient, copy.point) }, pointProblem: null };
  }
  // The list is of the points that parcels go to; a collection may be from another one.
  return { details: sent, pointProblem: isOld || details.serviceType === 2 ? null : NO_SUCH_POINT };
}

const NO_SUCH_POINT = 'The carrier has no such pickup point.';
const NO_LIST =
  'The carrier has no list of pickup points: ship_data.pickup_address must say where the point is.';

/** A courier who finds the point needs nothing of the recipient's home. */
function atPoint(recipient: Recipient, { name, street, number, city }: BookedPoint): Recipient {
  const { name: person, phone, email, company, country } = recipient;
  return {
    name: person,
    phone,
    email,
    company,
    country,
    street: street || name,
    number: number || null,
    entrance: null,
    floor: null,
    apartment: null,
    city: city || recipient.city,
    state: null,
    zip: null,
  };
}

/** The day is set a moment before the shipment's id is made. */
const JUST_BEFORE_MS = 60_000;

/**
 * A day that has gone by since the parcel was asked for becomes today: carriers refuse to come on a past one. The
 * shipment's id has the time of the request; it may have waited for a worker, and over midnight, to be reserved.
 */
function dayToCollect(day: string, uuid: string): string {
  const today = dayInJerusalem(new Date());
  const wasAhead = day >= dayInJerusalem(new Date(timeOfUuidV7(uuid).getTime() - JUST_BEFORE_MS));
  return wasAhead && day < today ? today : day;
}
