/** The texts of packing slips and pick lists in English. */
export const slipsEn = {
  slips: {
    slip: 'Packing slip',
    slips: 'Packing slips',
    picks: 'Pick list',
    print: 'Print',
    to: 'To',
    note: 'Note',
    more: 'And {count} more lines: see the order.',
    noItems: 'The order names no items.',
    place: 'Place',
    orders: 'Orders',
    fetched: 'Done',
    pickSum: 'Pieces: {count}, for {orders} orders',
    withoutItems: 'Orders that name no items:',
    cut: 'Orders with more lines than stand here:',
    leftOut: 'Left out',
    small: '10 × 15 cm',
  },
};
