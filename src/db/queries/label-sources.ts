import { type LabelItem, type LabelSource, printsProducts } from '../../domain/labels.js';
import type { JsonObject, Recipient } from '../../domain/shipment.js';
import type { Executor, Row } from '../database.js';
import { bool, int, jsonObject, text, textOrNull } from '../row.js';
import { placeholders } from '../sql.js';
import { COMPANY_NAME } from './company-name.js';
import { PICKUP_PLACE_COLUMNS, PICKUP_PLACE_JOIN, toPickupPlace } from './pickup-place.js';
import { SHIPMENT_COLUMNS, SHIPMENT_TABLES, toShipment } from './shipments.js';

const FLAGS = `t.print_products, t.print_variations, t.print_customer_detail_sku_and_quantity_bold_in_label,
  t.print_products_on_label_notes, t.print_products_on_a4_label_notes, t.print_products_name,
  t.print_products_sku, t.print_virtual_product_on_note`;

const COLUMNS = `${SHIPMENT_COLUMNS}, s.details, ${COMPANY_NAME} AS company, o.warehouse_location, ${PICKUP_PLACE_COLUMNS}, ${FLAGS},
  COALESCE((SELECT MAX(i.position) + 1 FROM order_items i WHERE i.order_id = s.order_id), 0) AS order_lines,
  COALESCE(t.label_method, '') AS license_label_method, COALESCE(t.label_type, '') AS license_label_type,
  COALESCE(t.collect_street, '') AS collect_street, COALESCE(t.collect_street_number, '') AS collect_street_number,
  COALESCE(t.collect_city, '') AS collect_city, COALESCE(t.collect_company, '') AS collect_company,
  a.name AS account_name, a.company_name, a.company_logo, a.phone AS account_phone, a.support_phone, a.locale,
  a.label_method AS account_label_method, a.label_type AS account_label_type, a.enable_sort_by_warehouse,
  a.display_order_number_barcode`;

const TABLES = `${SHIPMENT_TABLES}
  JOIN accounts a ON a.id = s.account_id
  LEFT JOIN license_settings t ON t.license_id = s.license_id AND t.provider_id = s.carrier_id
  ${PICKUP_PLACE_JOIN}`;

/** Lines of an order that are read: a label has room for fewer. */
const MOST_ITEMS = 100;
/** Characters of their texts that are read: a label has room for fewer. */
const ITEM_TEXT = 200;

/** Which shipments: by row ids, or by uuids, of one account. */
export type LabelSelection = { accountId: number } & (
  | { ids: readonly number[] }
  | { uuids: readonly string[]; licenseId?: number }
);

/**
 * What labels show of these shipments, in the order named; those that are not the account's, or have no tracking code
 * yet, are left out. One statement, two where products are printed.
 */
export async function listLabelSources(db: Executor, selection: LabelSelection): Promise<LabelSource[]> {
  const byId = 'ids' in selection;
  const wanted: readonly (number | string)[] = byId ? selection.ids : selection.uuids;
  if (wanted.length === 0) return [];
  const licenseId = byId ? undefined : selection.licenseId;
  const rows = await db.select(
    `SELECT ${COLUMNS} FROM ${TABLES}
     WHERE s.account_id = ? AND s.state = 'created' AND s.tracking_code IS NOT NULL
       AND s.${byId ? 'id' : 'uuid'} IN (${placeholders(wanted.length)})
       ${licenseId === undefined ? '' : 'AND s.license_id = ?'}`,
    [selection.accountId, ...wanted, ...(licenseId === undefined ? [] : [licenseId])],
  );
  const sources = rows.map(toSource);
  const orderIds = sources
    .filter(({ flags }) => printsProducts(flags))
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
  const rows = await db.select(
    `SELECT i.order_id, LEFT(i.name, ${ITEM_TEXT}) AS name, LEFT(i.sku, ${ITEM_TEXT}) AS sku,
       LEFT(i.variation, ${ITEM_TEXT}) AS variation, i.quantity, i.is_virtual
     FROM order_items i JOIN orders o ON o.id = i.order_id
     WHERE o.account_id = ? AND i.order_id IN (${placeholders(orderIds.length)}) AND i.position < ?
     ORDER BY i.order_id, i.position`,
    [accountId, ...orderIds, MOST_ITEMS],
  );
  for (const row of rows) {
    const items = byOrder.get(int(row, 'order_id')) ?? [];
    byOrder.set(int(row, 'order_id'), items);
    items.push({
      name: text(row, 'name'),
      sku: textOrNull(row, 'sku'),
      variation: textOrNull(row, 'variation'),
      quantity: int(row, 'quantity'),
      virtual: bool(row, 'is_virtual'),
    });
  }
  return byOrder;
}

function toSource(row: Row): LabelSource {
  const details = jsonObject(row, 'details');
  const flag = (name: string) => row[name] === 1;
  const shipment = toShipment(row);
  return {
    shipment,
    carrierName: text(row, 'company'),
    recipient: toldRecipient(details, shipment.recipient),
    details: {
      note: textOf(details, 'note'),
      extraNote: textOf(details, 'extraNote'),
      urgent: details.urgent === true,
    },
    pickupPlace: toPickupPlace(row),
    warehouseLocation: textOrNull(row, 'warehouse_location'),
    items: [],
    moreItems: Math.max(0, int(row, 'order_lines') - MOST_ITEMS),
    license: { labelMethod: text(row, 'license_label_method'), labelType: text(row, 'license_label_type') },
    flags: {
      products: flag('print_products'),
      variations: flag('print_variations'),
      boldSkuAndQuantity: flag('print_customer_detail_sku_and_quantity_bold_in_label'),
      productsOnLabelNotes: flag('print_products_on_label_notes'),
      productsOnA4LabelNotes: flag('print_products_on_a4_label_notes'),
      productNames: flag('print_products_name'),
      productSkus: flag('print_products_sku'),
      virtualProducts: flag('print_virtual_product_on_note'),
    },
    collectFrom: {
      street: text(row, 'collect_street'),
      number: text(row, 'collect_street_number'),
      city: text(row, 'collect_city'),
      company: text(row, 'collect_company'),
    },
    account: {
      name: text(row, 'account_name'),
      companyName: text(row, 'company_name'),
      companyLogo: text(row, 'company_logo'),
      phone: text(row, 'account_phone'),
      supportPhone: text(row, 'support_phone'),
      locale: text(row, 'locale'),
      labelMethod: text(row, 'account_label_method'),
      labelType: text(row, 'account_label_type'),
      sortByWarehouse: bool(row, 'enable_sort_by_warehouse'),
      orderNumberBarcode: bool(row, 'display_order_number_barcode'),
    },
  };
}

/** As the carrier was told. Shipments of before 0.2 do not keep it: they have the record's alone, which it was then. */
function toldRecipient(details: JsonObject, recorded: Recipient): Recipient {
  const { recipient } = details;
  if (!isJsonObject(recipient)) return recorded;
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

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(details: JsonObject, key: string): string | null {
  const value = details[key];
  return typeof value === 'string' ? value : null;
}
