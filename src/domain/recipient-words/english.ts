/** Texts of the tracking page and of mails. `{…}` is a value. The other languages have the same. */
export const english = {
  /** The language's own name. */
  languageName: 'English',
  direction: 'ltr',
  /** Locale of dates. */
  dates: 'en-GB',
  pageTitle: 'Parcel tracking',
  /** Title and sentence of a status, and both as one line about `{parcel}`. */
  statuses: {
    preparing: {
      title: 'Being prepared',
      text: 'The shop is getting your parcel ready for the carrier.',
      news: '{parcel} is being prepared',
    },
    awaiting_collection: {
      title: 'Waiting for collection',
      text: 'Please keep the parcel ready: a courier will come to collect it.',
      news: '{parcel} is waiting for collection',
    },
    collected: {
      title: 'With the carrier',
      text: 'The carrier has your parcel.',
      news: '{parcel} is with the carrier',
    },
    in_transit: {
      title: 'On its way',
      text: 'Your parcel is moving through the carrier’s network.',
      news: '{parcel} is on its way',
    },
    at_pickup_point: {
      title: 'Ready for pickup',
      text: 'Your parcel is waiting at the pickup point. Bring the message from the carrier.',
      news: '{parcel} is ready for pickup',
    },
    out_for_delivery: {
      title: 'Out for delivery',
      text: 'A courier is bringing your parcel.',
      news: '{parcel} is out for delivery',
    },
    delivered: { title: 'Delivered', text: 'The parcel has arrived.', news: '{parcel} was delivered' },
    delivery_failed: {
      title: 'Delivery did not succeed',
      text: 'The courier could not hand over the parcel. Contact the shop to arrange another try.',
      news: '{parcel} could not be delivered',
    },
    returning: {
      title: 'On its way back',
      text: 'The parcel is going back to the sender.',
      news: '{parcel} is on its way back',
    },
    returned: {
      title: 'Returned to sender',
      text: 'The parcel is back with the sender.',
      news: '{parcel} was returned to the sender',
    },
    cancelled: {
      title: 'Cancelled',
      text: 'This shipment was cancelled and will not be delivered.',
      news: '{parcel} was cancelled',
    },
    lost: {
      title: 'Lost',
      text: 'The carrier cannot find the parcel. Please contact the shop.',
      news: '{parcel} is lost',
    },
  },
  /** A parcel sent by, or returned to, a shop, for `news`; `alone` where the shop is not named. */
  parcel: { from: 'Your parcel from {shop}', to: 'Your parcel for {shop}', alone: 'Your parcel' },
  order: 'Order',
  toPay: 'Cash to have ready',
  /**
   * The last two of four steps differ when the recipient fetches the parcel; the last one when the recipient
   * hands it over.
   */
  steps: {
    label: 'Progress',
    placed: 'Prepared',
    onTheWay: 'On its way',
    outForDelivery: 'Out for delivery',
    delivered: 'Delivered',
    collectionDone: 'Collection complete',
    atPickupPoint: 'At the pickup point',
    pickedUp: 'Picked up',
  },
  details: 'Details',
  trackingNumber: 'Tracking number',
  carrier: 'Carrier',
  destination: 'Destination',
  collectedIn: 'Collected in',
  pickupPoint: 'Pickup point',
  showMap: 'Show on the map',
  packages: 'Packages',
  deliveredAt: 'Delivered',
  history: 'History',
  /** Names the time zone of the history's times. */
  timeZone: 'Times are local times in Israel.',
  contact: 'Questions?',
  contactCompany: 'Questions? Contact {company}',
  call: 'Phone',
  whatsapp: 'WhatsApp',
  email: 'E-mail',
  website: 'Website',
  hours: 'Hours',
  language: 'Language',
  /** Stopping the merchant's mails, and the page for it. */
  mails: {
    stop: 'Stop these e-mails',
    stopTitle: 'Stop the e-mails about parcels?',
    stopText:
      '{company} will no longer write to the e-mail address of this parcel, about this parcel or others.',
    stopNow: 'Stop the e-mails',
    stoppedTitle: 'The e-mails are stopped',
    stoppedText: '{company} no longer writes to the e-mail address of this parcel.',
    resume: 'Let them come again',
    toParcel: 'Follow the parcel',
    shop: 'The shop',
  },
  /** Reasons for a page without a parcel. */
  troubles: {
    notFound: {
      title: 'We do not know this parcel',
      text: 'Check the link in the message that you got from the shop. A new parcel can take a few minutes to appear.',
    },
    tooMany: { title: 'Too many requests', text: 'Please wait a minute and load the page again.' },
    unavailable: {
      title: 'Tracking is not available right now',
      text: 'Your parcel is not affected. Please try again in a few minutes.',
    },
  },
};
