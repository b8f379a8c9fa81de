import type { PublicStatus } from './public-status.js';

/** Reasons for a page without a parcel. */
export type Trouble = 'notFound' | 'tooMany' | 'unavailable';

/** All words of the tracking page, which mails use too, in one language. `{…}` stands for a value. */
export interface Texts {
  /** Name of the language in itself. */
  languageName: string;
  direction: 'ltr' | 'rtl';
  /** Locale of dates. */
  dates: string;
  pageTitle: string;
  /** The headline of a status, the sentence under it, and the whole as one line of news about `{parcel}`. */
  statuses: Readonly<Record<PublicStatus, { title: string; text: string; news: string }>>;
  /** The parcel that a shop sends, and the one that it fetches, for the news. */
  parcel: { from: string; to: string };
  order: string;
  toPay: string;
  /**
   * The last two of the four steps have other names where the recipient fetches the parcel, the last one where the
   * recipient hands it over.
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
  /** Under the history, whose times are of this place. */
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
