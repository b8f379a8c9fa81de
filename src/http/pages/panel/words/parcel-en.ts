/** The texts of pages of parcels, and of what became none, in English. */
export const parcelEn = {
  parcel: {
    refused: 'Refused',
    refusedIntro:
      'Creations that ended without a parcel, as long as they are kept: nothing was booked. The newest come first.',
    refusedEmpty: 'Nothing was refused.',
    refusedSearch: 'Order, phone, or a name among the newest {count}',
    refusedFound: 'Refused with this text: look there',
    correct: 'Create again, corrected',
    noPoints: 'The carrier has no pickup points.',
    noPointsIn: 'No pickup points in {city}.',
    notPrinted: 'The shipment is created, but its label could not be printed.',
    setStatus: 'Set the status',
    happened: 'When it happened',
    happenedHint: 'Israel time; now when empty.',
    statusNote: 'Words for the recipient',
    sendBack: 'Send it back',
    contents: 'The parcel',
    items: 'Items',
    value: 'Value',
    quantity: 'Quantity',
    sku: 'SKU',
    itemName: 'Item',
    amount: 'Amount',
  },
};
