import type { BookInput } from '../src/contracts/create-shipment.js';
import { findPointCity } from '../src/db/queries/pickup-points.js';
import type { ShipmentDetails } from '../src/domain/shipment.js';
import { dayInJerusalem } from '../src/lib/time.js';
import type { CarrierDeps } from './carrier-deps.js';

/** What the carrier is told. Callers may leave out the city of a pickup point: the stored copy has it. */
export async function toldDetails(
  { db }: CarrierDeps,
  { creation, shipment }: BookInput,
): Promise<ShipmentDetails> {
  const { licenseId, details } = creation;
  const { recipient, pickupPointId: pointId, note, carrierNote = note } = details;
  const told = { ...details, note: carrierNote, collectOn: dayToCollect(details.collectOn, shipment) };
  if (pointId === null || recipient.city !== null) return told;
  const city = await findPointCity(db, { licenseId, pointId });
  return city === null ? told : { ...told, recipient: { ...recipient, city } };
}

/** A day that has gone by since the parcel was asked for becomes today: carriers refuse to come on a past one. */
function dayToCollect(day: string, { createdAt }: BookInput['shipment']): string {
  const today = dayInJerusalem(new Date());
  const wasAhead = day >= dayInJerusalem(new Date(createdAt));
  return wasAhead && day < today ? today : day;
}
