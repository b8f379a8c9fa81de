import type { ImportField } from './fields.js';

type Headers = Partial<Record<ImportField, readonly string[]>>;

/**
 * Names of columns in exports of shops. `marks`: headers that only this export has together; its other columns are
 * not read, since one header means different things in two exports.
 */
interface KnownExport {
  name: string;
  marks: readonly string[];
  headers: Headers;
}

/** The names below with the words of an address before and behind them, as exporters write them. */
function ofAddresses(
  headers: Headers,
  spell: readonly ((place: string, header: string) => string)[],
): Headers {
  const spelled = Object.entries(headers).map(([field, names]): [string, string[]] => [
    field,
    ['shipping', 'billing'].flatMap((place) =>
      names.flatMap((header) => spell.map((write) => write(place, header))),
    ),
  ]);
  return Object.fromEntries(spelled);
}

/** Shopify, admin, Orders, Export: one row for each product, the order's data in the first. Headers of 2024. */
const SHOPIFY: KnownExport = {
  name: 'Shopify',
  marks: ['name', 'financial status', 'lineitem name'],
  headers: {
    order_number: ['name'],
    email: ['email'],
    phone: ['shipping phone', 'billing phone', 'phone'],
    name: ['shipping name', 'billing name'],
    company: ['shipping company', 'billing company'],
    street: ['shipping address1', 'billing address1'],
    address_2: ['shipping address2', 'billing address2'],
    city: ['shipping city', 'billing city'],
    zip: ['shipping zip', 'billing zip'],
    state: ['shipping province', 'billing province'],
    country: ['shipping country', 'billing country'],
    note: ['notes'],
    cancelled_at: ['cancelled at'],
    total: ['total'],
    currency: ['currency'],
    item_name: ['lineitem name'],
    item_quantity: ['lineitem quantity'],
    item_sku: ['lineitem sku'],
    item_ships: ['lineitem requires shipping'],
  },
};

/** WooCommerce's names of an address's parts, where its exporters agree. */
const WOO_ADDRESS: Headers = {
  name: ['full name'],
  first_name: ['first name'],
  last_name: ['last name'],
  company: ['company'],
  address_2: ['address 2'],
  city: ['city'],
  zip: ['postcode'],
  phone: ['phone'],
  email: ['email'],
};

/** WooCommerce, "Advanced Order Export" 3.x (AlgolPlus): labels with the address in parentheses. */
const WOO_ADVANCED: KnownExport = {
  name: 'WooCommerce (Advanced Order Export)',
  marks: ['order number', 'city (billing)'],
  headers: {
    ...ofAddresses(
      {
        ...WOO_ADDRESS,
        street: ['address 1&2', 'address 1'],
        state: ['state code', 'state name'],
        country: ['country code', 'country name'],
      },
      [(place, header) => `${header} (${place})`],
    ),
    order_number: ['order number'],
    order_id: ['order id'],
    status: ['order status'],
    note: ['customer note'],
    total: ['order total amount'],
    currency: ['order currency', 'currency'],
    item_name: ['item name', 'product name'],
    item_quantity: ['quantity', 'quantity (- refund)'],
    item_sku: ['sku'],
  },
};

/**
 * WooCommerce, "Customer/Order/Coupon Export" (SkyVerge; `item_name` in its format of a row for each product) and "Order
 * Export & Order Import" (WebToffee; its products stand in numbered columns): names of the shop's fields.
 * WooCommerce's own report of orders has no addresses.
 */
const WOO_FIELDS: KnownExport = {
  name: 'WooCommerce',
  marks: ['billing first name', 'billing address 1', 'status'],
  headers: {
    ...ofAddresses(
      {
        ...WOO_ADDRESS,
        street: ['address 1'],
        state: ['state'],
        country: ['country'],
      },
      [(place, header) => `${place} ${header}`],
    ),
    order_number: ['order number formatted', 'order number'],
    order_id: ['order id'],
    status: ['status'],
    note: ['customer note'],
    total: ['order total'],
    currency: ['order currency'],
    item_name: ['item name', 'product item 1 name'],
    item_quantity: ['item quantity', 'product item 1 quantity'],
    item_sku: ['item sku', 'product item 1 sku'],
  },
};

/** Magento 2.4, Sales, Orders, Export: an address is one cell, and no phone is there. */
const MAGENTO_GRID: KnownExport = {
  name: 'Magento',
  marks: ['purchase point', 'ship-to name'],
  headers: {
    order_number: ['id'],
    name: ['ship-to name', 'bill-to name'],
    address: ['shipping address', 'billing address'],
    email: ['customer email'],
    status: ['status'],
    total: ['grand total (purchased)'],
  },
};

/** Exporters of Magento that write the names of its tables, `shipping_firstname`, or objects, `ShippingAddress.Firstname`. */
const MAGENTO_FIELDS: KnownExport = {
  name: 'Magento',
  marks: ['increment id'],
  headers: {
    ...ofAddresses(
      {
        name: ['name'],
        first_name: ['firstname'],
        last_name: ['lastname'],
        company: ['company'],
        street: ['street', 'street full', 'street 1'],
        address_2: ['street 2'],
        city: ['city'],
        state: ['region'],
        zip: ['postcode'],
        country: ['country', 'country id'],
        phone: ['telephone'],
        email: ['email'],
      },
      [
        (place, header) => `${place} ${header}`,
        (place, header) => `${place} address ${header}`,
        (place, header) => `${place}address ${header}`,
      ],
    ),
    order_number: ['increment id'],
    email: ['customer email', 'shipping email', 'billing email'],
    status: ['status'],
    note: ['customer note'],
    total: ['grand total'],
    currency: ['order currency code'],
  },
};

/** Our own exports, `EXPORT_COLUMNS`. */
const OWN: KnownExport = {
  name: 'Parcelworks',
  marks: ['tracking code', 'recipient name', 'recipient phone'],
  headers: {
    order_id: ['order id'],
    order_number: ['order number'],
    name: ['recipient name'],
    phone: ['recipient phone'],
    company: ['recipient company'],
    street: ['recipient street'],
    number: ['recipient number'],
    city: ['recipient city'],
    state: ['recipient state'],
    zip: ['recipient zip'],
    country: ['recipient country'],
    pickup: ['pickup point id'],
    packages: ['packages'],
    cod: ['cod amount'],
  },
};

export const KNOWN_EXPORTS: readonly KnownExport[] = [
  SHOPIFY,
  WOO_ADVANCED,
  WOO_FIELDS,
  MAGENTO_GRID,
  MAGENTO_FIELDS,
  OWN,
];
