/** What the public may see of a status; those of our own affairs are all `preparing`. */
export type PublicStatus =
  | 'preparing'
  | 'awaiting_collection'
  | 'collected'
  | 'in_transit'
  | 'at_pickup_point'
  | 'out_for_delivery'
  | 'delivered'
  | 'delivery_failed'
  | 'returning'
  | 'returned'
  | 'cancelled'
  | 'lost';

/** Reasons for a page without a parcel. */
export type Trouble = 'notFound' | 'tooMany' | 'unavailable';

/** All words of the page in one language. `{…}` stands for a value. */
export interface Texts {
  /** Name of the language in itself. */
  languageName: string;
  direction: 'ltr' | 'rtl';
  /** Locale of dates. */
  dates: string;
  pageTitle: string;
  /** The headline of a status and the sentence under it. */
  statuses: Readonly<Record<PublicStatus, { title: string; text: string }>>;
  steps: { label: string; placed: string; onTheWay: string; outForDelivery: string; delivered: string };
  details: string;
  trackingNumber: string;
  carrier: string;
  destination: string;
  collectedIn: string;
  pickupPoint: string;
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
