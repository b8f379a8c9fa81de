import { type LabelItem, type LabelSource, printsProducts } from '../../../domain/labels.js';
import type { JsonObject, Recipient } from '../../../domain/shipment.js';
import { isObject } from '../../../lib/json.js';
import type { Executor } from '../../database.js';
import { int, text } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { accounts, licenseSettings, orderItems, orders, shipments } from '../../tables/index.js';
import { COMPANY_NAME } from '../accounts/merchant.js';
import { PICKUP_PLACE, PICKUP_PLACE_JOIN } from '../carriers/pickup-place.js';
import { SHIPMENT, SHIPMENT_TABLES } from '../shipments/shipments.js';

/** Order lines read: a label has room for fewer. */
const MOST_ITEMS = 100;
/** Characters read of each line: a label has room for fewer. */
const ITEM_TEXT = 200;

const s = shipments.as('s');
const t = licenseSettings.as('t');
const a = accounts.as('a');

const SOURCE = shape({
  shipment: SHIPMENT,
  carrierName: COMPANY_NAME,
  details: s.details,
  pickupPlace: PICKUP_PLACE,
  warehouseLocation: orders.as('o').warehouseLocation,
  moreItems: expression(
    'COALESCE((SELECT MAX(i.position) + 1 FROM order_items i WHERE i.order_id = s.order_id), 0)',
    int,
  ).map((lines) => Math.max(0, lines - MOST_ITEMS)),
  license: shape({ labelMethod: t.labelMethod.or(''), labelType: t.labelType.or('') }),
  flags: shape({
    products: t.printProducts.or(false),
    variations: t.printVariations.or(false),
    boldSkuAndQuantity: t.printCustomerDetailSkuAndQuantityBoldInLabel.or(false),
    productsOnLabelNotes: t.printProductsOnLabelNotes.or(false),
    productsOnA4LabelNotes: t.printProductsOnA4LabelNotes.or(false),
    productNames: t.printProductsName.or(false),
    productSkus: t.printProductsSku.or(false),
    virtualProducts: t.printVirtualProductOnNote.or(false),
  }),
  collectFrom: shape({
    street: t.collectStreet.or(''),
    number: t.collectStreetNumber.or(''),
    city: t.collectCity.or(''),
    company: t.collectCompany.or(''),
  }),
  account: shape({
    name: a.name,
    companyName: a.companyName,
    companyLogo: a.companyLogo,
    phone: a.phone,
    supportPhone: a.supportPhone,
    locale: a.locale,
    labelMethod: a.labelMethod,
    labelType: a.labelType,
    sortByWarehouse: a.enableSortByWarehouse,
    orderNumberBarcode: a.displayOrderNumberBarcode,
  }),
}).map(
  ({ details, ...source }): LabelSource => ({
    ...source,
    recipient: toldRecipient(details, source.shipment.recipient),
    details: {
      note: textOf(details, 'note'),
      extraNote: textOf(details, 'extraNote'),
      urgent: details.urgent === true,
    },
    items: [],
  }),
);

const i = orderItems.as('i');
const ITEM = shape({
  orderId: i.orderId,
  item: shape({
    name: expression(`LEFT(i.name, ${ITEM_TEXT})`, text),
    sku: expression(`LEFT(i.sku, ${ITEM_TEXT})`, text).or(null),
    variation: expression(`LEFT(i.variation, ${ITEM_TEXT})`, text).or(null),
    quantity: i.quantity,
    virtual: i.isVirtual,
  }),
});

const TABLES = `${SHIPMENT_TABLES}
  JOIN accounts a ON a.id = s.account_id
  LEFT JOIN license_settings t ON t.license_id = s.license_id AND t.provider_id = s.carrier_id
  ${PICKUP_PLACE_JOIN}`;

/** Which shipments: by row ids, or by uuids, of one account. `withItems`: also of those whose label shows none. */
type LabelSelection = { accountId: number; withItems?: true } & (
  | { ids: readonly number[] }
  | { uuids: readonly string[]; licenseId?: number }
);

/**
 * The label data of these shipments, in the given order; leaves out those of other accounts and those without a
 * tracking code. One statement, two where products are printed.
 */
export async function listLabelSources(db: Executor, selection: LabelSelection): Promise<LabelSource[]> {
  const byId = 'ids' in selection;
  const wanted: readonly (number | string)[] = byId ? selection.ids : selection.uuids;
  if (wanted.length === 0) return [];
  const licenseId = byId ? undefined : selection.licenseId;
  const sources = await SOURCE.select(
    db,
    `FROM ${TABLES}
     WHERE s.account_id = ? AND s.state = 'created' AND s.tracking_code IS NOT NULL
       AND s.${byId ? 'id' : 'uuid'} IN (${placeholders(wanted.length)})
       ${licenseId === undefined ? '' : 'AND s.license_id = ?'}`,
    [selection.accountId, ...wanted, ...(licenseId === undefined ? [] : [licenseId])],
  );
  const orderIds = sources
    .filter(({ flags }) => selection.withItems === true || printsProducts(flags))
    .map(({ shipment }) => shipment.order.rowId);
  const items = await listItems(db, selection.accountId, [...new Set(orderIds)]);
  const found = new Map<number | string, LabelSource>(
    sources.map((source) => {
      const { shipment } = source;
      const withItems = { ...source, items: items.get(shipment.order.rowId) ?? [] };
      return [byId ? shipment.id : shipment.uuid, withItems];
    }),
  );
  return wanted.flatMap((key) => found.get(key) ?? []);
}

async function listItems(
  db: Executor,
  accountId: number,
  orderIds: readonly number[],
): Promise<Map<number, LabelItem[]>> {
  const byOrder = new Map<number, LabelItem[]>();
  if (orderIds.length === 0) return byOrder;
  const rows = await ITEM.select(
    db,
    `FROM order_items i JOIN orders o ON o.id = i.order_id
     WHERE o.account_id = ? AND i.order_id IN (${placeholders(orderIds.length)}) AND i.position < ?
     ORDER BY i.order_id, i.position`,
    [accountId, ...orderIds, MOST_ITEMS],
  );
  for (const { orderId, item } of rows) byOrder.set(orderId, [...(byOrder.get(orderId) ?? []), item]);
  return byOrder;
}

/** The recipient sent to the carrier. Shipments from before 0.2 used the record's and lack this one. */
function toldRecipient(details: JsonObject, recorded: Recipient): Recipient {
  const { recipient } = details;
  if (!isObject(recipient)) return recorded;
  const of = (key: keyof Recipient) => textOf(recipient, key);
  const secondLine = of('secondLine');
  return {
    name: of('name') ?? recorded.name,
    phone: of('phone') ?? recorded.phone,
    email: of('email'),
    company: of('company'),
    street: of('street'),
    number: of('number'),
    ...(secondLine === null ? {} : { secondLine }),
    entrance: of('entrance'),
    floor: of('floor'),
    apartment: of('apartment'),
    city: of('city'),
    state: of('state'),
    zip: of('zip'),
    country: of('country') ?? recorded.country,
  };
}

function textOf(details: JsonObject, key: string): string | null {
  const value = details[key];
  return typeof value === 'string' ? value : null;
}
