import type { CarrierAdapter } from '../src/carriers/contract.js';
import type { BookInput } from '../src/contracts/create-shipment.js';
import { findBookedPoint } from '../src/db/queries/carriers/pickup-points.js';
import type { StoredPickupPoint } from '../src/domain/pickup-points.js';
import { type Problem, problem } from '../src/domain/problems/problem.js';
import type { Recipient, ShipmentDetails } from '../src/domain/shipment.js';
import { timeOfUuidV7 } from '../src/lib/ids.js';
import { dayInJerusalem } from '../src/lib/time.js';
import { isRenewalMissed, renewCopy } from '../src/services/carriers/list-pickup-points.js';
import type { CarrierApp } from './carrier-slots.js';
import type { Signaller } from './retry-reports.js';

/** `pointProblem`: why the pickup point is invalid; null when it is valid or only the carrier knows. */
interface BookingDetails {
  details: ShipmentDetails;
  pointProblem: Problem | null;
}

/** Details for the carrier. A parcel for a pickup point gets the point's stored address. */
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
  // The list has delivery points; a collection may start at another one.
  return { details: sent, pointProblem: isOld || details.serviceType === 2 ? null : NO_SUCH_POINT };
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
