import { sortByLocation } from '../../../domain/labels.js';
import type {
  RecipientFilter,
  RecipientOrder,
  RecipientSort,
  SearchField,
} from '../../../domain/recipient-list.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor, SqlValue } from '../../database.js';
import { int, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { licenses, shipments } from '../../tables/index.js';
import { allOf, type Condition, contains, patternOf } from '../keyset.js';
import { SHIPMENT, SHIPMENT_TABLES } from './shipments.js';

const s = shipments.as('s');
const RECIPIENT_SHIPMENT = shape({
  shipment: SHIPMENT,
  flag: s.flag,
  companyId: licenses.as('l').companyId,
});

/** A shipment as its recipient sees it. */
export type RecipientShipment = Selected<typeof RECIPIENT_SHIPMENT>;

/** One page of the shipments to one phone. */
export interface RecipientPage {
  /** As `phoneKey` makes it; an empty one has no shipments. */
  phoneKey: string;
  filter: RecipientFilter;
  order: RecipientOrder;
  /** From 1. */
  page: number;
  perPage: number;
}

/**
 * How many of a phone's newest parcels filters, search and sorting read. Anyone can address parcels to a phone: without
 * the limit strangers could make its owner's requests arbitrarily slow.
 */
export const LOOKED_AT = 2000;

/** All parcels of a phone, read along the key alone. */
const OWN = `shipments FORCE INDEX (shipments_recipient) WHERE recipient_phone_key = ? AND state = 'created'`;

const TABLES = `(SELECT id FROM ${OWN} ORDER BY id DESC LIMIT ${LOOKED_AT}) newest
  JOIN shipments s ON s.id = newest.id
  JOIN orders o ON o.id = s.order_id
  JOIN accounts a ON a.id = s.account_id
  JOIN licenses l ON l.id = s.license_id
  JOIN carriers r ON r.id = s.carrier_id`;

/** Bytes of a billing address that the search reads: 64 KiB take MariaDB milliseconds; a usual one has 500. */
const SEARCHED_BILLING = 4096;

/** A text of the order's billing address, or null. Unquoting JSON's null would give the word. */
function billing(key: string): string {
  const value = `JSON_EXTRACT(o.billing, '$.${key}')`;
  const isNone = `LENGTH(o.billing) > ${SEARCHED_BILLING} OR JSON_TYPE(${value}) = 'NULL'`;
  return `IF(${isNone}, NULL, JSON_UNQUOTE(${value}))`;
}

const PART_OF: Readonly<Record<SearchField, string>> = {
  order_id: 'o.order_id',
  name: 's.recipient_name',
  address: `CONCAT_WS(' ', s.recipient_street, s.recipient_number, s.recipient_city)`,
  phone: 's.recipient_phone',
  shipping_code: 's.tracking_code',
};

const SEARCHED = [
  's.recipient_name',
  's.recipient_company',
  `CONCAT_WS(' ', s.recipient_street, s.recipient_number)`,
  's.recipient_city',
  's.tracking_code',
  `CONCAT_WS(' ', ${billing('first_name')}, ${billing('last_name')})`,
  'o.order_id',
  'o.number',
];

const SORT_COLUMNS: Readonly<Record<RecipientSort, string>> = {
  id: 's.id',
  created_at: 's.created_at',
  updated_at: 's.updated_at',
  shipping_code: 's.tracking_code',
  status: 's.status_description',
  name: 's.recipient_name',
  city: 's.recipient_city',
  address: 's.recipient_street',
  order_id: 'o.order_id',
  order_number: 'o.number',
  flag: 's.flag',
};

/** `cod` and `independent` are not stored types; the stored ones exclude cash on delivery. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['cod', 's.cod_amount IS NOT NULL'],
  ['independent', `r.provider = 'independent'`],
  ['double', 's.return_type = 2 AND s.cod_amount IS NULL'],
  ['collecting', 's.service_type = 2 AND s.return_type = 1 AND s.cod_amount IS NULL'],
  ['regular', 's.service_type = 1 AND s.return_type = 1 AND s.cod_amount IS NULL'],
]);

/** A parcel that passes the filters; `location` is null where its account does not sort by warehouse. */
const FOUND = shape({
  item: s.id,
  location: expression('IF(a.enable_sort_by_warehouse, o.warehouse_location, NULL)', text).or(null),
});
type Found = Selected<typeof FOUND>;

/**
 * A page of the created shipments to a phone, and their total. Reads the newest {@link LOOKED_AT}, or all when neither
 * filtered nor sorted.
 */
export async function listRecipientShipments(
  db: Executor,
  request: RecipientPage,
): Promise<{ rows: RecipientShipment[]; total: number }> {
  if (request.phoneKey === '') return { rows: [], total: 0 };
  const { explicit, byWarehouse } = request.order;
  const found = await findNewest(db, request);
  if (found.length === LOOKED_AT && isAsTheyCame(request, found)) return await listAll(db, request);
  const ids = explicit === null ? sortByLocation(found, byWarehouse) : found.map(({ item }) => item);
  const from = (request.page - 1) * request.perPage;
  return { rows: await readByIds(db, ids.slice(from, from + request.perPage)), total: found.length };
}

/** Whether the list is unfiltered and unsorted, so that it goes on after the found rows. */
function isAsTheyCame(request: RecipientPage, found: readonly Found[]): boolean {
  const isFiltered = whereOf(request).sql !== '';
  return request.order.explicit === null && !isFiltered && found.every(({ location }) => location === null);
}

/** In the requested order; the caller sorts by location. */
async function findNewest(db: Executor, request: RecipientPage): Promise<Found[]> {
  const { explicit } = request.order;
  const { sql, params } = whereOf(request);
  const direction = explicit === null || explicit.descending ? 'DESC' : 'ASC';
  const column = explicit === null ? '' : `${SORT_COLUMNS[explicit.column]} ${direction}, `;
  const rows = await db.select(
    `SELECT STRAIGHT_JOIN ${FOUND.list}
     FROM ${TABLES} ${sql === '' ? '' : `WHERE ${sql}`}
     ORDER BY ${column}s.id ${direction}`,
    [request.phoneKey, ...params],
  );
  return rows.map((row) => FOUND.read(row));
}

/** Newest first, in key order: both the count and the page are read from the index alone. */
async function listAll(db: Executor, { phoneKey, page, perPage }: RecipientPage) {
  const total = await expression('COUNT(*)', int).first(db, `FROM ${OWN}`, [phoneKey]);
  const tail = `FROM ${OWN} ORDER BY id DESC LIMIT ? OFFSET ?`;
  const ids = await expression('id', int).select(db, tail, [phoneKey, perPage, (page - 1) * perPage]);
  return { rows: await readByIds(db, ids), total: total ?? 0 };
}

async function readByIds(db: Executor, ids: readonly number[]): Promise<RecipientShipment[]> {
  if (ids.length === 0) return [];
  const rows = await RECIPIENT_SHIPMENT.select(
    db,
    `FROM ${SHIPMENT_TABLES} JOIN licenses l ON l.id = s.license_id
     WHERE s.id IN (${placeholders(ids.length)})`,
    [...ids],
  );
  const byId = new Map(rows.map((row) => [row.shipment.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function whereOf({ filter }: RecipientPage): { sql: string; params: SqlValue[] } {
  const like = (text: string | undefined) => (text === undefined ? undefined : patternOf(text));
  return allOf([
    [`(${SEARCHED.map(contains).join(' OR ')})`, ...SEARCHED.map(() => like(filter.search))],
    ...filter.parts.map(([field, part]): Condition => [contains(PART_OF[field]), patternOf(part)]),
    [contains('s.status_description'), like(filter.status)],
    ['s.account_id = ?', filter.accountId],
    ['l.company_id = ?', filter.companyId],
    ['s.license_id = ?', filter.licenseId],
    ['s.flag = ?', filter.flag],
    ...(filter.type === undefined ? [] : [[TYPES.get(filter.type) ?? 'FALSE'] as const]),
    ['s.created_at >= ?', filter.createdFrom && isoToSql(filter.createdFrom)],
    ['s.created_at <= ?', filter.createdTo && isoToSql(filter.createdTo)],
    ...(filter.activeOnly ? [['s.is_active = TRUE'] as const] : []),
    ['s.label_generated = ?', filter.labelGenerated],
  ]);
}
