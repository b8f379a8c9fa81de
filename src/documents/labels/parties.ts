import type { LabelSource } from '../../domain/labels.js';
import { readPhone } from '../../domain/phone.js';
import type { PickupPlace } from '../../domain/recipient-words/pickup-place.js';
import { namesTown } from '../../domain/towns.js';
import { captionsOf } from './captions.js';
import { clean, cleanOrNull } from './clean.js';

/** The longest that a caller may send: only the room on paper cuts addresses. */
const MAX_LINE = 255;
/** City, state and postcode together. They are never cut: couriers sort by them. */
const MAX_CITY = 545;

/** A sender or recipient. Texts are clean, without empty lines. */
export interface Party {
  name: string;
  company: string | null;
  street: string;
  /** Entrance, floor and apartment with their captions. */
  rooms: string[];
  city: string;
  phone: string | null;
}

/** The person whom the parcel goes to, or is collected from. */
export function recipientOf(source: LabelSource): Party {
  const { recipient, pickupPlace } = source;
  return {
    name: clean(recipient.name, MAX_LINE),
    company: cleanOrNull(recipient.company, 120),
    phone: phoneLine(recipient.phone),
    ...(pickupPlace === null ? homeOf(source) : pointOf(source, pickupPlace)),
  };
}

/** A single number as it was written; of several, the one to dial (the others are in the notes). */
function phoneLine(phone: string): string | null {
  const dialled = readPhone(phone);
  return cleanOrNull(dialled === null || dialled.others === '' ? phone : dialled.number, 32);
}

type Address = Pick<Party, 'street' | 'rooms' | 'city'>;

function homeOf({ recipient, account }: LabelSource): Address {
  const captions = captionsOf(account.locale);
  const room = (caption: string, value: string | null) => {
    const text = cleanOrNull(value, MAX_LINE);
    return text === null ? [] : [`${caption} ${text}`];
  };
  return {
    street: clean(
      [recipient.street, recipient.number].filter((part) => part !== null).join(' '),
      2 * MAX_LINE,
    ),
    rooms: [
      ...(recipient.secondLine === undefined ? [] : [clean(recipient.secondLine, 2 * MAX_LINE)]),
      ...room(captions.entrance, recipient.entrance),
      ...room(captions.floor, recipient.floor),
      ...room(captions.apartment, recipient.apartment),
    ],
    city: clean(
      [recipient.city, recipient.state, recipient.zip]
        .filter((part) => part !== null && part !== '')
        .join(' '),
      MAX_CITY,
    ),
  };
}

/** The point's address: it may be in another city than the recipient. */
function pointOf({ recipient }: LabelSource, { name, street, number, city }: PickupPlace): Address {
  const address = cleanOrNull(`${street} ${number}`, 200);
  // The recipient's city is printed large only if the point's description names it.
  const home = recipient.city ?? '';
  const told = namesTown(name, home) ? home : '';
  const isInWords = address === null && city === '';
  return {
    street: clean(name, 200),
    rooms: address === null ? [] : [address],
    city: clean(isInWords ? told : city, MAX_CITY),
  };
}

/** The merchant, as sender or as receiver of a collection. */
export function merchantOf({ collectFrom, account }: LabelSource): Party {
  return {
    name: clean(collectFrom.company || account.companyName || account.name, 120),
    company: null,
    street: clean(`${collectFrom.street} ${collectFrom.number}`, 200),
    rooms: [],
    city: clean(collectFrom.city, MAX_CITY),
    phone: cleanOrNull(account.supportPhone || account.phone, 32),
  };
}
