import type { BookInput } from '../src/contracts/create-shipment.js';
import { findPointCity } from '../src/db/queries/pickup-points.js';
import type { ShipmentDetails } from '../src/domain/shipment.js';
import { timeOfUuidV7 } from '../src/lib/ids.js';
import { dayInJerusalem } from '../src/lib/time.js';
import type { CarrierDeps } from './carrier-deps.js';

/** What the carrier is told. Callers may leave out the city of a pickup point: the stored copy has it. */
export async function toldDetails(
  { db }: CarrierDeps,
  { creation, shipment }: BookInput,
): Promise<ShipmentDetails> {
  const { licenseId, details } = creation;
  const { recipient, pickupPointId: pointId, note, carrierNote = note } = details;
  const told = {
    ...details,
    note: carrierNote,
    collectOn: dayToCollect(details.collectOn, creation.shipmentUuid ?? shipment.uuid),
  };
  if (pointId === null || recipient.city !== null) return told;
  const city = await findPointCity(db, { licenseId, pointId });
  return city === null ? told : { ...told, recipient: { ...recipient, city } };
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
