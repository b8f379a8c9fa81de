import type { PublicStatus } from './public-status.js';

/** Reasons for a page without a parcel. */
export type Trouble = 'notFound' | 'tooMany' | 'unavailable';

/** Texts of the tracking page and of mails in one language. `{…}` is a value. */
export interface Texts {
  /** The language's own name. */
  languageName: string;
  direction: 'ltr' | 'rtl';
  /** Locale of dates. */
  dates: string;
  pageTitle: string;
  /** Title and sentence of a status, and both as one line about `{parcel}`. */
  statuses: Readonly<Record<PublicStatus, { title: string; text: string; news: string }>>;
  /** A parcel sent by, or returned to, a shop, for `news`. */
  parcel: { from: string; to: string };
  order: string;
  toPay: string;
  /**
   * The last two of four steps differ when the recipient fetches the parcel; the last one when the recipient
   * hands it over.
   */
  steps: {
    label: string;
    placed: string;
    onTheWay: string;
    outForDelivery: string;
    delivered: string;
    collectionDone: string;
    atPickupPoint: string;
    pickedUp: string;
  };
  details: string;
  trackingNumber: string;
  carrier: string;
  destination: string;
  collectedIn: string;
  pickupPoint: string;
  showMap: string;
  packages: string;
  deliveredAt: string;
  history: string;
  /** Names the time zone of the history's times. */
  timeZone: string;
  contact: string;
  contactCompany: string;
  call: string;
  whatsapp: string;
  email: string;
  website: string;
  hours: string;
  language: string;
  troubles: Readonly<Record<Trouble, { title: string; text: string }>>;
}
