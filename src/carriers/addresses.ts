import type { Recipient, ShipmentDetails } from '../domain/shipment.js';
import { type BookingProblems, USUAL_NOTE, USUAL_STREET } from './booking-problems.js';
import type { StreetAddress } from './contract.js';
import { clean, divided, labelled, lengthOf, otherPhones, words } from './text.js';

/** Both ends of a shipment; a collection goes from the recipient to the merchant. */
export function endsOf<T>({ serviceType }: Pick<ShipmentDetails, 'serviceType'>, merchant: T, recipient: T) {
  return serviceType === 2 ? { from: recipient, to: merchant } : { from: merchant, to: recipient };
}

const STREET = 'ship_data.street';

/** Street and house number as one text, split at the usual maximum; the tail goes into the notes. */
function streetOf({ street, number }: Recipient): { head: string; tail: string } {
  return divided(words(clean(street), clean(number)), USUAL_STREET);
}

/** The recipient's address, for carriers with one field for street and house number. */
export function addressOf(recipient: Recipient): StreetAddress {
  return { city: recipient.city ?? '', street: streetOf(recipient).head, number: null };
}

/** The parts of the address without a field at such a carrier. */
function doorOf(recipient: Recipient): string {
  return words(
    streetOf(recipient).tail,
    clean(recipient.secondLine),
    labelled('כניסה', recipient.entrance),
    labelled('קומה', recipient.floor),
    labelled('דירה', recipient.apartment),
    otherPhones(recipient.phone),
  );
}

/** The note: the rest of the address, the order and the caller's notes. `isCut` when they do not all fit. */
export function doorNote(
  { recipient, note, extraNote }: ShipmentDetails,
  ...more: string[]
): { text: string; isCut: boolean } {
  const all = words(doorOf(recipient), clean(recipient.company), clean(note), clean(extraNote), ...more);
  const { head, tail } = divided(all, USUAL_NOTE);
  return { text: head, isCut: tail !== '' };
}

/** Reports an address whose rest does not fit into the note. */
export function checkDoor(problems: BookingProblems, { recipient }: ShipmentDetails): void {
  const isTooLong = lengthOf(doorOf(recipient)) > USUAL_NOTE;
  problems.reportIf(isTooLong, STREET, 'carrier_door', { street: USUAL_STREET, rest: USUAL_NOTE });
}

/** A decimal amount in hundredths (agorot), computed without fractions. */
export function hundredths(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(`${whole}${fraction.padEnd(2, '0').slice(0, 2)}`);
}
