import type { ImportField } from '../../../../domain/imports/fields.js';
import type { Hold } from '../../../../domain/imports/orders.js';
import type { Refused } from '../../../../services/imports/drafts.js';

const refused: Record<Refused, string> = {
  empty: 'The file has no orders: it needs a line of headings and at least one order below it.',
  unreadable: 'The file cannot be read. Save it as CSV or as an Excel workbook (.xlsx) and choose it again.',
  old_workbook:
    'This is a workbook of Excel 2003 or older. Save it as an Excel workbook (.xlsx) and choose it again.',
  too_large:
    'The file is too large to be read. Keep the orders of the day and the columns that parcels need.',
  took_too_long: 'Reading the file took too long. Try again; if it happens once more, divide the file.',
  too_many_rows: 'The file has more than {lines} rows. Divide it.',
  too_many_columns: 'The file has more than {columns} columns. Keep those that parcels need.',
  too_many_orders: 'The file has more than {orders} orders. Divide it.',
};

const fields: Record<ImportField, string> = {
  order_number: 'Order number',
  order_id: 'Order id',
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  phone: 'Phone',
  email: 'E-mail',
  company: 'Company',
  street: 'Street',
  number: 'House number',
  address_2: 'Address, second line',
  apartment: 'Apartment',
  floor: 'Floor',
  entrance: 'Entrance',
  city: 'City',
  state: 'State',
  zip: 'Postal code',
  country: 'Country',
  address: 'Whole address: street, city',
  pickup: 'Pickup point id',
  note: 'Note for the courier',
  packages: 'Packages',
  cod: 'Cash to collect',
  day: 'Day of collection',
  status: 'Status of the order',
  cancelled_at: 'Cancelled at',
  total: 'Total of the order',
  currency: 'Currency',
  item_name: 'Product',
  item_quantity: 'Quantity of the product',
  item_sku: 'SKU of the product',
  item_ships: 'Product is shipped',
};

const holds: Record<Hold, string> = {
  cancelled: 'Cancelled in the shop',
  abroad: 'Goes abroad',
  shipped: 'Has a parcel already',
  chosen: 'You left it out',
};

/** Texts of orders from files in English. */
export const importsEn = {
  imports: {
    file: 'File of orders',
    fileHint: 'CSV or Excel (.xlsx), as your shop exports it, 10 MiB at most. Nothing is booked yet.',
    paste: 'Or paste a table',
    pasted: 'Pasted table',
    pasteHint: 'Copy the cells with their headings in the spreadsheet, and paste them here.',
    check: 'Check the orders',
    open: 'Orders that are not created yet',
    bookedMeanwhile:
      'One of these orders was booked meanwhile, as it was. Nothing is changed: look at its parcel.',
    nothing: 'Choose a file, or paste a table.',
    refused,
    ready: '{count} ready',
    faulty: '{count} need you',
    held: '{count} left out',
    booked: '{count} orders were sent: look at the batch',
    create: 'Create {count} parcels',
    correct: 'Correct the {count} refused ones',
    corrected: 'Refused orders, to be corrected',
    columns: 'Columns',
    faultyTitle: '{count} orders need you',
    readyTitle: 'Orders that are ready',
    heldTitle: 'Orders that are left out',
    save: 'Save and check again',
    row: 'Row {line}',
    line: 'Row',
    leave: 'Leave out',
    take: 'Create all the same',
    holds,
    columnsTitle: 'What the columns mean',
    columnsIntro: 'Say it once: the next file with these headings is read the same way.',
    column: 'Heading',
    means: 'Means',
    firstRows: 'First rows',
    unread: 'not read',
    incomplete:
      'Parcels need an order, a name, a phone, and a street with a city, a whole address or a pickup point.',
    fields,
  },
};
