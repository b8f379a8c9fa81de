import type { Recipient, ShipmentDetails } from '../domain/shipment.js';
import type { StreetAddress } from './contract.js';
import { clean, labelled, otherPhones, words } from './text.js';

/** Where a parcel goes from and to: a collection goes from the recipient to the merchant. */
export function endsOf<T>({ serviceType }: Pick<ShipmentDetails, 'serviceType'>, merchant: T, recipient: T) {
  return serviceType === 2 ? { from: recipient, to: merchant } : { from: merchant, to: recipient };
}

/** The street address of a recipient. */
export function addressOf({ city, street, number }: Recipient): StreetAddress {
  return { city: city ?? '', street: street ?? '', number };
}

/** What a courier has to know at the door, for carriers that have no fields of it. */
export function doorNote({ recipient, note, extraNote }: ShipmentDetails): string {
  return words(
    otherPhones(recipient.phone),
    labelled('כניסה', recipient.entrance),
    labelled('קומה', recipient.floor),
    labelled('דירה', recipient.apartment),
    clean(recipient.company),
    clean(note),
    clean(extraNote),
  );
}

/** A decimal amount with two places in hundredths (agorot), without the detour over fractions. */
export function hundredths(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  return Number(`${whole}${fraction.padEnd(2, '0').slice(0, 2)}`);
}
