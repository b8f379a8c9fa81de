/** The texts of lists of shipments, and the printing from them, in English. */
export const listsEn = {
  lists: {
    printBatch: 'Print its labels ({count})',
    stopQuestion: 'What has not begun is not created. What is created stays.',
    howToPrint: 'How to print',
    find: 'Find',
    printWaiting: 'Print the {count} to be printed',
    printFirst: 'Print the first {count} to be printed',
    order: 'In the order of',
    orders: { chosen: 'the list', number: 'order numbers', place: 'places in the warehouse' },
    allFound: 'All {count} found',
    tooMany: 'At most {count} at once. Limit the list.',
    chosenCount: 'Chosen:',
    chosenElsewhere: '({count} on other pages)',
    mostChosen: 'At most {count} can be chosen.',
    clearChosen: 'Clear',
    keepChosen: 'Keep what is ticked',
    noneFound: 'No shipment matches the search and the filters.',
    showAll: 'Show all shipments',
    noneYet: 'No shipments yet. Create one, or a batch of orders:',
  },
};
