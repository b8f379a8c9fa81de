import { sortByLocation } from '../../domain/labels.js';
import type {
  RecipientFilter,
  RecipientOrder,
  RecipientSort,
  SearchField,
} from '../../domain/recipient-list.js';
import type { ShipmentRecord } from '../../domain/shipment.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor, SqlValue } from '../database.js';
import { int, textOrNull } from '../row.js';
import { placeholders } from '../sql.js';
import { SHIPMENT_COLUMNS, SHIPMENT_TABLES, toShipment } from './shipments.js';

/** A shipment as its recipient sees it. */
export interface RecipientShipment {
  shipment: ShipmentRecord;
  flag: number;
  companyId: number;
}

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

/** Shipments whose locations one statement reads. */
const LOCATED_AT_ONCE = 500;

/** Reading begins at the recipient's own parcels, however many others there are; all other filters look at those. */
const TABLES = `shipments s FORCE INDEX (shipments_recipient)
  JOIN orders o ON o.id = s.order_id
  JOIN accounts a ON a.id = s.account_id
  JOIN licenses l ON l.id = s.license_id
  JOIN carriers r ON r.id = s.carrier_id`;

/** A text of the order's billing address, or null. Unquoting a null of JSON would give the word. */
function billing(key: string): string {
  const value = `JSON_EXTRACT(o.billing, '$.${key}')`;
  return `IF(JSON_TYPE(${value}) = 'NULL', NULL, JSON_UNQUOTE(${value}))`;
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

interface Where {
  sql: string;
  params: SqlValue[];
}

/** A page of the created shipments to a phone, and how many there are in all. */
export async function listRecipientShipments(
  db: Executor,
  request: RecipientPage,
): Promise<{ rows: RecipientShipment[]; total: number }> {
  if (request.phoneKey === '') return { rows: [], total: 0 };
  const where = whereOf(request);
  const [counted] = await db.select(
    `SELECT STRAIGHT_JOIN COUNT(*) AS total, COALESCE(MAX(a.enable_sort_by_warehouse), 0) AS sorts
     FROM ${TABLES} WHERE ${where.sql}`,
    where.params,
  );
  if (counted === undefined) return { rows: [], total: 0 };
  const isByWarehouse = request.order.explicit === null && int(counted, 'sorts') === 1;
  const ids = isByWarehouse ? await idsByWarehouse(db, where, request) : await idsInOrder(db, where, request);
  return { rows: await readByIds(db, ids), total: int(counted, 'total') };
}

async function idsInOrder(db: Executor, where: Where, request: RecipientPage): Promise<number[]> {
  const { explicit } = request.order;
  const direction = explicit === null || explicit.descending ? 'DESC' : 'ASC';
  const column = explicit === null ? '' : `${SORT_COLUMNS[explicit.column]} ${direction}, `;
  const rows = await db.select(
    `SELECT STRAIGHT_JOIN s.id FROM ${TABLES} WHERE ${where.sql}
     ORDER BY ${column}s.id ${direction} LIMIT ? OFFSET ?`,
    [...where.params, request.perPage, (request.page - 1) * request.perPage],
  );
  return rows.map((row) => int(row, 'id'));
}

/** By the order's location in the warehouse, for accounts that sort so; the others stay newest first, last. */
async function idsByWarehouse(db: Executor, where: Where, request: RecipientPage): Promise<number[]> {
  const located: { item: number; location: string | null }[] = [];
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const rows = await db.select(
      `SELECT STRAIGHT_JOIN s.id, IF(a.enable_sort_by_warehouse, o.warehouse_location, NULL) AS location
       FROM ${TABLES} WHERE ${where.sql} AND s.id < ? ORDER BY s.id DESC LIMIT ?`,
      [...where.params, before, LOCATED_AT_ONCE],
    );
    for (const row of rows) {
      located.push({ item: int(row, 'id'), location: textOrNull(row, 'location') });
    }
    before = rows.length < LOCATED_AT_ONCE ? null : (located.at(-1)?.item ?? null);
  }
  const from = (request.page - 1) * request.perPage;
  return sortByLocation(located, request.order.byWarehouse).slice(from, from + request.perPage);
}

async function readByIds(db: Executor, ids: readonly number[]): Promise<RecipientShipment[]> {
  if (ids.length === 0) return [];
  const rows = await db.select(
    `SELECT ${SHIPMENT_COLUMNS}, s.flag, l.company_id
     FROM ${SHIPMENT_TABLES} JOIN licenses l ON l.id = s.license_id
     WHERE s.id IN (${placeholders(ids.length)})`,
    [...ids],
  );
  const byId = new Map(
    rows.map((row): [number, RecipientShipment] => [
      int(row, 'id'),
      { shipment: toShipment(row), flag: int(row, 'flag'), companyId: int(row, 'company_id') },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function whereOf({ phoneKey, filter }: RecipientPage): Where {
  const conditions = [`s.recipient_phone_key = ?`, `s.state = 'created'`];
  const params: SqlValue[] = [phoneKey];
  const add = (condition: string, ...values: SqlValue[]) => {
    conditions.push(condition);
    params.push(...values);
  };
  if (filter.search !== undefined) {
    const pattern = patternOf(filter.search);
    add(`(${SEARCHED.map(contains).join(' OR ')})`, ...SEARCHED.map(() => pattern));
  }
  for (const [field, part] of filter.parts) add(contains(PART_OF[field]), patternOf(part));
  if (filter.status !== undefined) add(contains('s.status_description'), patternOf(filter.status));
  if (filter.accountId !== undefined) add('s.account_id = ?', filter.accountId);
  if (filter.companyId !== undefined) add('l.company_id = ?', filter.companyId);
  if (filter.licenseId !== undefined) add('s.license_id = ?', filter.licenseId);
  if (filter.flag !== undefined) add('s.flag = ?', filter.flag);
  if (filter.type !== undefined) add(typeCondition(filter.type));
  if (filter.createdFrom !== undefined) add('s.created_at >= ?', isoToSql(filter.createdFrom));
  if (filter.createdTo !== undefined) add('s.created_at <= ?', isoToSql(filter.createdTo));
  if (filter.activeOnly) add('s.is_active = TRUE');
  if (filter.labelGenerated !== undefined) add('s.label_generated = ?', filter.labelGenerated);
  return { sql: conditions.join(' AND '), params };
}

/** `cod` and `independent` are no stored types; the stored ones leave out cash on delivery. */
function typeCondition(type: string): string {
  switch (type) {
    case 'cod':
      return 's.cod_amount IS NOT NULL';
    case 'independent':
      return `r.provider = 'independent'`;
    case 'double':
      return 's.return_type = 2 AND s.cod_amount IS NULL';
    case 'collecting':
      return 's.service_type = 2 AND s.return_type = 1 AND s.cod_amount IS NULL';
    case 'regular':
      return 's.service_type = 1 AND s.return_type = 1 AND s.cod_amount IS NULL';
    default:
      return 'FALSE';
  }
}

/** Letter case does not count, as people search. */
function contains(column: string): string {
  return `${column} COLLATE utf8mb4_unicode_ci LIKE ?`;
}

function patternOf(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
