import type { ShipmentRecord } from '../../domain/shipment.js';
import type { ShipmentSort } from '../../domain/shipment-list.js';
import { isActive } from '../../domain/statuses.js';
import { isoToSql } from '../../lib/time.js';
import type { Executor, SqlValue } from '../database.js';
import { int } from '../row.js';
import { allOf, isOneOf } from './keyset.js';
import { listShipmentCounts, type ShipmentCount } from './shipment-counts.js';
import { SHIPMENT_COLUMNS, toShipment } from './shipments.js';

/** A sort: its columns, and the key that holds shipments of one kind in its order. */
interface Sort {
  key: string;
  columns: readonly string[];
}

const SORTS = {
  created_at: { key: 'shipments_kind_created', columns: ['created_at'] },
  updated_at: { key: 'shipments_kind_updated', columns: ['updated_at'] },
  tracking_code: { key: 'shipments_kind_tracking', columns: ['tracking_code'] },
  status: { key: 'shipments_kind_created', columns: ['status_code', 'created_at'] },
  ready_at: { key: 'shipments_kind_ready', columns: ['ready_at'] },
  collected_at: { key: 'shipments_kind_collected', columns: ['collected_at'] },
} as const satisfies Record<ShipmentSort, Sort>;

/** Limits a listing; what is left out does not limit. Times are ISO 8601 UTC, both ends included. */
export interface ShipmentFilter {
  active?: boolean;
  serviceType?: 1 | 2;
  status?: string;
  /** The store's order id. */
  orderId?: string;
  trackingCode?: string;
  createdFrom?: string;
  createdTo?: string;
}

/** One page of an account's shipments. */
export interface ListShipmentsArgs {
  accountId: number;
  licenseIds: readonly number[];
  filter: ShipmentFilter;
  sort: { column: ShipmentSort; descending: boolean };
  /** From 1. */
  page: number;
  perPage: number;
}

const ACCOUNT_CREATED = 'shipments_created';
const KIND_CREATED = SORTS.created_at.key;
/** So many shipments of a time are rather looked up and sorted than picked out of all others. */
const FEW = 5_000;
/** So many entries more than a merge reads, a walk along the account's key does not take: how many it takes is a guess. */
const MANY = 20_000;
/** Kinds that are merged in one statement, at most. */
const MOST_KINDS = 400;

/**
 * A page of created shipments, and how many there are in all. Rows with an equal sort value are ordered by id, those of
 * one status by creation and id, in the same direction. The page's ids come from a key alone, from the end of the list
 * that is nearer, and the rows by their ids. Two statements, or three where the list is limited by what is not counted:
 * times, an order or a tracking code.
 */
export async function listShipments(
  db: Executor,
  args: ListShipmentsArgs,
): Promise<{ rows: ShipmentRecord[]; total: number }> {
  if (args.licenseIds.length === 0) return { rows: [], total: 0 };
  const counts = await listShipmentCounts(db, args.accountId);
  const kinds = counts.filter(kindFilter(args));
  if (kinds.length === 0) return { rows: [], total: 0 };
  const total = isCounted(args.filter) ? sum(kinds) : await countMatching(db, args, kinds);
  const window = nearerWindow(args, total);
  if (window.limit === 0) return { rows: [], total };
  const ids = idsOfPage({ args, kinds, window, matching: total, all: sum(counts) });
  const found = await db.select(
    `SELECT ${SHIPMENT_COLUMNS}
     FROM (${ids.sql}) page
     STRAIGHT_JOIN shipments s ON s.id = page.id
     JOIN carriers r ON r.id = s.carrier_id
     JOIN orders o ON o.id = s.order_id
     ORDER BY ${orderBy(args.sort.column, args.sort.descending, 's.')}`,
    ids.params,
  );
  return { rows: found.map(toShipment), total };
}

/** Part of a statement with its values. */
interface Sql {
  sql: string;
  params: SqlValue[];
}

/** Which entries of a list make a page, and in which direction they are read. */
interface Window {
  descending: boolean;
  offset: number;
  limit: number;
}

/** What is known of a page before it is read. */
interface Page {
  args: ListShipmentsArgs;
  /** What the list is made of. */
  kinds: readonly ShipmentCount[];
  window: Window;
  /** Shipments that the list has. */
  matching: number;
  /** Shipments that the account has. */
  all: number;
}

/** Whether the counts tell how many shipments the filter lets through. */
function isCounted(filter: ShipmentFilter): boolean {
  return !isLookup(filter) && !isDated(filter);
}

/** A tracking code or an order names a handful of shipments. */
function isLookup({ orderId, trackingCode }: ShipmentFilter): boolean {
  return orderId !== undefined || trackingCode !== undefined;
}

function isDated({ createdFrom, createdTo }: ShipmentFilter): boolean {
  return createdFrom !== undefined || createdTo !== undefined;
}

function kindFilter({ licenseIds, filter }: ListShipmentsArgs): (kind: ShipmentCount) => boolean {
  const licenses = new Set(licenseIds);
  const { status, serviceType, active } = filter;
  return (kind) =>
    licenses.has(kind.licenseId) &&
    (status === undefined || kind.status === status) &&
    (serviceType === undefined || kind.serviceType === serviceType) &&
    (active === undefined || isActive(kind.status) === active);
}

function sum(counts: readonly ShipmentCount[]): number {
  return counts.reduce((total, count) => total + count.total, 0);
}

async function countMatching(
  db: Executor,
  { accountId, filter }: ListShipmentsArgs,
  kinds: readonly ShipmentCount[],
): Promise<number> {
  const key = lookupKey(filter) ?? KIND_CREATED;
  const { sql, params } = selectable({ accountId, filter, kinds }, key);
  const [row] = await db.select(`SELECT COUNT(*) AS total ${sql}`, params);
  return row === undefined ? 0 : int(row, 'total');
}

/** Beyond the middle the list is read backwards: the way to a place in a key is over all entries before it. */
function nearerWindow({ page, perPage, sort }: ListShipmentsArgs, total: number): Window {
  const offset = (page - 1) * perPage;
  const limit = Math.max(0, Math.min(perPage, total - offset));
  const behind = total - offset - limit;
  return offset <= behind
    ? { descending: sort.descending, offset, limit }
    : { descending: !sort.descending, offset: behind, limit };
}

/**
 * The statement that gives the ids of a page. Kinds are merged, each read along its own key, unless that would take
 * longer than to walk along the account's key and leave out what the list has not.
 */
function idsOfPage(page: Page): Sql {
  const { args, kinds, window, matching, all } = page;
  const { filter, sort } = args;
  const lookup = lookupKey(filter);
  if (lookup !== null) return idsAlong(page, lookup);
  if (isDated(filter) && matching <= FEW) return idsAlong(page, KIND_CREATED);
  const reach = window.offset + window.limit;
  const merged = kinds.reduce((entries, { total }) => entries + Math.min(total, reach), 0);
  const walked = (reach * all) / sum(kinds);
  const isWide = kinds.length > MOST_KINDS;
  if (sort.column === 'created_at') {
    const isWhole = sum(kinds) === all;
    const isShorter = isWide ? walked < matching : walked < merged - MANY;
    if (isWhole || isShorter) return idsAlong(page, ACCOUNT_CREATED);
  }
  return isWide ? idsAlong(page, SORTS[sort.column].key) : idsOfKinds(page);
}

function lookupKey({ orderId, trackingCode }: ShipmentFilter): string | null {
  if (orderId !== undefined) return 'shipments_order';
  return trackingCode === undefined ? null : 'shipments_license_code';
}

/** Ids in one SELECT along a key; sorted where that has not the order of the list. */
function idsAlong({ args, kinds, window }: Page, key: string): Sql {
  const { sql, params } = selectable({ ...args, kinds }, key);
  const order = orderBy(args.sort.column, window.descending);
  return {
    sql: `SELECT id ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...params, window.limit, window.offset],
  };
}

/** The first ids of every kind along its own key, merged. */
function idsOfKinds({ args, kinds, window }: Page): Sql {
  const { key, columns } = SORTS[args.sort.column];
  const order = orderBy(args.sort.column, window.descending);
  const parts = kinds.map((kind) => {
    const { sql, params } = selectable({ ...args, kinds: [kind] }, key);
    return { sql: `SELECT id, ${columns.join(', ')} ${sql} ORDER BY ${order} LIMIT ?`, params };
  });
  const reach = window.offset + window.limit;
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) {
    return { sql: `${only.sql} OFFSET ?`, params: [...only.params, window.limit, window.offset] };
  }
  return {
    sql: `SELECT id FROM (${parts.map(({ sql }) => `(${sql})`).join(' UNION ALL ')}) merged
      ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...parts.flatMap(({ params }) => [...params, reach]), window.limit, window.offset],
  };
}

/** FROM and WHERE of the shipments of these kinds that the filter lets through. */
function selectable(
  { accountId, filter, kinds }: Pick<ListShipmentsArgs, 'accountId' | 'filter'> & Pick<Page, 'kinds'>,
  key: string,
): Sql {
  const ofLicenses = isOneOf('license_id', distinct(kinds.map(({ licenseId }) => licenseId)));
  const [licensed, ...licenses] = ofLicenses;
  const { sql, params } = allOf([
    ...(key === ACCOUNT_CREATED ? [['account_id = ?', accountId] as const] : []),
    ofLicenses,
    [`state = 'created'`],
    isOneOf('status_code', distinct(kinds.map(({ status }) => status))),
    isOneOf('service_type', distinct(kinds.map(({ serviceType }) => serviceType))),
    ['created_at >= ?', filter.createdFrom && isoToSql(filter.createdFrom)],
    ['created_at <= ?', filter.createdTo && isoToSql(filter.createdTo)],
    ['tracking_code = ?', filter.trackingCode],
    [`order_id IN (SELECT id FROM orders WHERE ${licensed} AND order_id = ?)`, ...licenses, filter.orderId],
  ]);
  return { sql: `FROM shipments FORCE INDEX (${key}) WHERE ${sql}`, params };
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function orderBy(column: ShipmentSort, descending: boolean, table = ''): string {
  const direction = descending ? 'DESC' : 'ASC';
  return [...SORTS[column].columns, 'id'].map((name) => `${table}${name} ${direction}`).join(', ');
}
