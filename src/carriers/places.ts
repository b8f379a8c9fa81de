import type { Recipient, ShipmentDetails } from '../domain/shipment.js';
import { type BookingProblems, USUAL_NOTE, USUAL_STREET } from './booking-problems.js';
import type { StreetAddress } from './contract.js';
import { clean, divided, labelled, lengthOf, otherPhones, words } from './text.js';

/** Where a parcel goes from and to: a collection goes from the recipient to the merchant. */
export function endsOf<T>({ serviceType }: Pick<ShipmentDetails, 'serviceType'>, merchant: T, recipient: T) {
  return serviceType === 2 ? { from: recipient, to: merchant } : { from: merchant, to: recipient };
}

const STREET = 'ship_data.street';

/** Street and house number in one field, of as many characters as carriers usually take; what goes on in notes. */
function streetOf({ street, number }: Recipient): { head: string; tail: string } {
  return divided(words(clean(street), clean(number)), USUAL_STREET);
}

/** The street address of a recipient, for carriers that take street and house number in one field. */
export function addressOf(recipient: Recipient): StreetAddress {
  return { city: recipient.city ?? '', street: streetOf(recipient).head, number: null };
}

/** What of the address has no field of its own with such a carrier. */
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

/** The address as it goes on in the note, and what is in it besides: `isCut` where that is more than it can hold. */
export function doorNote(
  { recipient, note, extraNote }: ShipmentDetails,
  ...more: string[]
): { text: string; isCut: boolean } {
  const all = words(doorOf(recipient), clean(recipient.company), clean(note), clean(extraNote), ...more);
  const { head, tail } = divided(all, USUAL_NOTE);
  return { text: head, isCut: tail !== '' };
}

/** Reports an address that goes on in the note for longer than that is. */
export function checkDoor(problems: BookingProblems, { recipient }: ShipmentDetails): void {
  const message = `The carrier takes at most ${USUAL_STREET} characters of street and number, and ${USUAL_NOTE} of what follows.`;
  problems.reportIf(lengthOf(doorOf(recipient)) > USUAL_NOTE, STREET, message);
}

/** A decimal amount with two places in hundredths (agorot), without the detour over fractions. */
export function hundredths(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(`${whole}${fraction.padEnd(2, '0').slice(0, 2)}`);
}
