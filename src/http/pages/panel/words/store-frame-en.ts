/** The texts of the page in the frame of a store's admin in English. */
export const storeFrameEn = {
  storeFrame: {
    title: 'Parcels of {store}',
    openPanel: 'Open in the panel',
    unprinted: 'To be printed',
    printThem: 'Print them',
    undecided: 'Wait for a decision',
    chosen: 'Chosen orders',
    missing:
      'Orders without a parcel: {count}. Book them with the button of each order in the shop, or here in the panel.',
    noParcel: 'No parcel yet',
    book: 'Book it',
    again: 'Ship again',
    connectTitle: 'This shop is not connected',
    unconnected:
      'Your shop has no valid token of the shipping service. The administrator of the service issues one for your account; then open this page again.',
    endedTitle: 'This page has ended',
    ended: 'Open it again from the admin pages of your shop.',
  },
};
