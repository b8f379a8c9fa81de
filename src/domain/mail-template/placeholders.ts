/** The placeholders of templates and their published meaning. */
export const PLACEHOLDERS = {
  'recipient.name': "The recipient's name.",
  'recipient.company': "The recipient's company.",
  'recipient.city': 'City of delivery.',
  'shipment.tracking_code': "The carrier's tracking code.",
  'shipment.status': "The status in the template's language.",
  'shipment.status_sentence': 'What the status means for the recipient, as on the tracking page.',
  'shipment.news': 'The status in one line, as in Your parcel from Acme Shop is ready for pickup.',
  'shipment.status_text': "The carrier's own words for the status.",
  'shipment.packages': 'Number of packages.',
  'shipment.pickup_point_id': 'Id of the pickup point.',
  'shipment.cod': 'Cash to be paid on delivery, as in ₪120.00.',
  'shipment.to_pay': 'The same, empty once the parcel has arrived or will not.',
  'pickup_point.name': 'Name of the pickup point, while the parcel is awaited there.',
  'pickup_point.address': 'Its street, number and city.',
  'pickup_point.remarks': "The carrier's remarks on it, such as opening hours.",
  'pickup_point.map_url': 'Address of a map that shows it.',
  'order.id': "The store's order id.",
  'order.number': 'The order number.',
  'order.total': 'Total of the order, as in ₪249.90.',
  'carrier.name': "The carrier's name in the template's language.",
  'tracking.url': 'Address of the public tracking page.',
  'merchant.name': "The merchant's name.",
  'merchant.email': "The merchant's support e-mail.",
  'merchant.phone': "The merchant's support phone.",
  'help.email': 'The same e-mail, empty unless the recipient must contact the shop.',
  'help.phone': 'The same phone, empty unless the recipient must contact the shop.',
} as const;

/** Placeholders that hold a complete URL of ours; a link may consist of one. */
export const ADDRESS_PLACEHOLDERS: ReadonlySet<string> = new Set<keyof typeof PLACEHOLDERS>([
  'tracking.url',
  'pickup_point.map_url',
]);

export type PlaceholderName = keyof typeof PLACEHOLDERS;

/** Raw text of every placeholder; empty when there is none. */
export type TemplateValues = Record<PlaceholderName, string>;

export function isPlaceholder(name: string): name is PlaceholderName {
  return Object.hasOwn(PLACEHOLDERS, name);
}
