import type { LabelSource } from '../../domain/labels.js';
import { readPhone } from '../../domain/phone.js';
import { cityKeyOf } from '../../domain/pickup-points.js';
import type { PickupPlace } from '../../domain/recipient-words/pickup-place.js';
import { captionsOf } from './captions.js';
import { clean, cleanOrNull } from './clean.js';

/** Longest text of an address that a caller may send, so that none is cut but by the room on paper. */
const MAX_LINE = 255;
/** Of a city, a state and a postcode together: couriers sort by them, so that they are never cut. */
const MAX_CITY = 545;

/** A sender or recipient. Texts are clean; empty lines are left out. */
export interface Party {
  name: string;
  company: string | null;
  street: string;
  /** Entrance, floor and apartment, each with its caption. */
  rooms: string[];
  city: string;
  phone: string | null;
}

/** Whom the parcel is for, or from whom it is collected. */
export function recipientOf(source: LabelSource): Party {
  const { recipient, pickupPlace } = source;
  return {
    name: clean(recipient.name, MAX_LINE),
    company: cleanOrNull(recipient.company, 120),
    phone: phoneLine(recipient.phone),
    ...(pickupPlace === null ? homeOf(source) : pointOf(source, pickupPlace)),
  };
}

/** As it was written where it is one number; of several the one that is dialled, the others are in the notes. */
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

/** The courier goes to the point, which may be in another city than the recipient's home. */
function pointOf({ recipient }: LabelSource, { name, street, number, city }: PickupPlace): Address {
  const address = cleanOrNull(`${street} ${number}`, 200);
  // Of a point in words the city stands large only where they have it.
  const home = recipient.city ?? '';
  const told = cityKeyOf(home) !== '' && cityKeyOf(name).includes(cityKeyOf(home)) ? home : '';
  const isInWords = address === null && city === '';
  return {
    street: clean(name, 200),
    rooms: address === null ? [] : [address],
    city: clean(isInWords ? told : city, MAX_CITY),
  };
}

/** Who sends, or gets what is collected. */
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
