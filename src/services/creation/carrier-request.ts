import type { BookingRequest, CarrierAccount, CarrierAdapter } from '../../carriers/contract.js';
import type { Creation } from '../../contracts/create-shipment.js';
import type { Executor } from '../../db/database.js';
import { findBookedPoint } from '../../db/queries/carriers/pickup-points.js';
import type { StoredPickupPoint } from '../../domain/pickup-points.js';
import { type FieldErrors, type Problem, problem } from '../../domain/problems/problem.js';
import type { Recipient, ShipmentDetails } from '../../domain/shipment.js';
import { timeOfUuidV7 } from '../../lib/ids.js';
import { dayInJerusalem } from '../../lib/time.js';
import { isRenewalMissed } from '../carriers/list-pickup-points.js';

/** The booking that a carrier is asked for. Bookings and dry runs make it in one place. */
export interface CarrierRequest {
  request: BookingRequest;
  account: CarrierAccount;
  /** Rules that forbid the booking, by field; nothing is sent then. */
  fields: FieldErrors;
  /** Whether the copy of the carrier's points is missing or old, so that new points may be missing in it. */
  isCopyOld: boolean;
}

/** The request of a creation. Asks nobody and sends nothing. `reference`: the shipment's uuid. `own`: the license's account. */
export async function carrierRequest(
  db: Executor,
  creation: Creation,
  { adapter, own, reference }: { adapter: CarrierAdapter; own: CarrierAccount; reference: string },
): Promise<CarrierRequest> {
  const { collectFrom, carrierOrderNumber } = creation.details;
  const account = collectFrom === undefined ? own : { ...own, collectFrom };
  const { details, pointProblem, isCopyOld } = await bookingDetails(db, creation, adapter);
  const request = { reference, orderNumber: carrierOrderNumber ?? creation.order.number, shipment: details };
  const fields = withPoint(adapter.checkBooking(request, account), pointProblem);
  return { request, account, fields, isCopyOld };
}

/** An unknown pickup point explains a missing city. */
function withPoint(fields: FieldErrors, problem: Problem | null): FieldErrors {
  if (problem === null) return fields;
  const { 'ship_data.city': _city, ...others } = fields;
  return { 'ship_data.pickup': [problem], ...others };
}

/** `pointProblem`: why the pickup point is invalid; null when it is valid or only the carrier knows. */
interface BookingDetails extends Pick<CarrierRequest, 'isCopyOld'> {
  details: ShipmentDetails;
  pointProblem: Problem | null;
}

/** Details for the carrier. A parcel for a pickup point gets the point's stored address. */
export async function bookingDetails(
  db: Executor,
  creation: Pick<Creation, 'details' | 'licenseId' | 'carrier' | 'shipmentUuid'>,
  adapter: Pick<CarrierAdapter, 'pickupPoints'>,
): Promise<BookingDetails> {
  const { details, licenseId, carrier } = creation;
  const { recipient, pickupPointId: pointId, pickupAddress, note, carrierNote = note } = details;
  const sent = {
    ...details,
    note: carrierNote,
    collectOn: dayToCollect(details.collectOn, creation.shipmentUuid),
  };
  if (pointId === null) return { details: sent, pointProblem: null, isCopyOld: false };
  if (adapter.pickupPoints === undefined) {
    return { details: sent, pointProblem: pickupAddress === null ? NO_LIST : null, isCopyOld: false };
  }
  const copy = await findBookedPoint(db, { licenseId, carrierId: carrier.id, pointId });
  const isCopyOld = copy === null || isRenewalMissed(copy);
  if (copy?.point != null) {
    return { details: { ...sent, recipient: atPoint(recipient, copy.point) }, pointProblem: null, isCopyOld };
  }
  // The list has delivery points; a collection may start at another one.
  const isUnknown = !isCopyOld && details.serviceType !== 2;
  return { details: sent, pointProblem: isUnknown ? NO_SUCH_POINT : null, isCopyOld };
}

const NO_SUCH_POINT = problem('carrier_unknown_point');
const NO_LIST = problem('carrier_point_address');

/** The courier goes to the point and does not need the recipient's address. */
function atPoint(
  recipient: Recipient,
  { name, street, number, city }: Pick<StoredPickupPoint, 'name' | 'street' | 'number' | 'city'>,
): Recipient {
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

/**
 * Replaces a day that has passed since the request by today, because carriers refuse past days. The shipment's
 * id holds the time of the request, which may have waited for a worker past midnight.
 */
function dayToCollect(day: string, uuid: string): string {
  const today = dayInJerusalem(new Date());
  // The day is set a moment before the shipment's id is made.
  const wasAhead = day >= dayInJerusalem(new Date(timeOfUuidV7(uuid).getTime() - 60_000));
  return wasAhead && day < today ? today : day;
}
