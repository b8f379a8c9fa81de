import { Type } from 'typebox';

const flag = (description: string) => Type.Boolean({ description });
const text = (description: string) => Type.String({ description });

/** Description of switches that only the store's plugin reads. */
const KEPT = 'Kept for store plugins; nothing here follows it.';

/** Printing defaults of a license or an account, as both APIs return them. */
export function labelDefaults(whenEmpty: string) {
  return {
    label_method: text(
      `\`builtin\`: our renderer makes labels; \`carrier\`: the carrier does. Empty: ${whenEmpty}.`,
    ),
    label_type: text(`Paper: \`A4\`, eight labels a sheet, or \`thermal\`, 74 mm wide. Empty: ${whenEmpty}.`),
  };
}

/** Settings of a license, as both APIs return them: collection address, switches, printing defaults. */
export const licenseSettingFields = {
  collect_street: text('Street of the collection address; empty when there is none.'),
  collect_street_number: text('House number of the collection address.'),
  collect_city: text('City of the collection address.'),
  collect_company: text('Company or name at the collection address.'),
  print_products: flag('Labels list the products of the order.'),
  print_variations: flag("Behind each product stands its variation, such as 'Blue / M'."),
  print_customer_detail_sku_and_quantity_bold_in_label: flag(
    'Products on labels show SKU and quantity in bold.',
  ),
  print_products_on_label_notes: flag('Thermal labels list the products, as `print_products` does.'),
  print_products_on_a4_label_notes: flag('A4 labels list the products, as `print_products` does.'),
  print_products_name: flag('Products show their names; they do anyway where `print_products_sku` is off.'),
  print_products_sku: flag('Products show their SKUs.'),
  print_virtual_product_on_note: flag('Virtual products, which are not shipped, are listed too.'),
  enable_cod: flag(`The store offers cash on delivery. ${KEPT}`),
  separate_street_and_number: flag(`The store's checkout asks for street and number apart. ${KEPT}`),
  get_street_number_with_suffix: flag(
    `The store reads house numbers with their suffix, such as 12A. ${KEPT}`,
  ),
  display_shipping_line_number: flag(`The store shows the number of the shipping line. ${KEPT}`),
  send_note_on_order: flag('The carrier and the label are told `ship_data.note`; off: the note is dropped.'),
  ...labelDefaults("the account's"),
  order_prefix: text('Put before order numbers that are sent to the carrier.'),
};

/** A merchant's identity, as both APIs return it. */
export const accountFields = {
  name: text("The account holder's name."),
  email: text('E-mail of the account: exports and notices are sent there.'),
  phone: text('Phone of the account holder.'),
  locale: text('Language of mails to recipients and of labels, two letters: `en`, `he` or `ar`.'),
  company_name: text("The merchant's name on labels, mails and the tracking page."),
  company_logo: text('Absolute URL of the logo; empty when there is none.'),
  support_email: text('E-mail that recipients may write to; the tracking page and mails show it.'),
  support_phone: text('Phone that recipients may call; the tracking page and mails show it.'),
};

/** Switches of an account, as both APIs return them. */
export const accountFlags = {
  enable_api: flag('API v2 takes the credentials of the account.'),
  can_use_collection_points: flag(`The store may offer pickup points. ${KEPT}`),
  enable_sort_by_warehouse: flag(
    'Documents of several labels are sorted by warehouse location, if not asked otherwise.',
  ),
  display_order_product: flag(`The store shows the products of an order. ${KEPT}`),
  display_product_price_in_order_detail: flag(`The store shows prices beside the products. ${KEPT}`),
  display_order_number_barcode: flag('Labels show the order number as a code to scan as well.'),
};
