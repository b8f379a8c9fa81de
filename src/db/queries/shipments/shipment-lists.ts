import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { ShipmentSort } from '../../../domain/shipment-list.js';
import { isActive } from '../../../domain/statuses.js';
import { isoToSql } from '../../../lib/time.js';
import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression } from '../../selection.js';
import { type Sql, unionOf } from '../../sql.js';
import { allOf, isOneOf } from '../keyset.js';
import { countReservations, listShipmentCounts, type ShipmentCount, sumOf } from './shipment-counts.js';
import { SHIPMENT } from './shipments.js';

const MERGED_KINDS = 400;

/** Each sort with its columns, and the key that holds shipments of one kind in its order. */
const SORTS = {
  created_at: { key: 'shipments_kind_created', columns: ['created_at'] },
  updated_at: { key: 'shipments_kind_updated', columns: ['updated_at'] },
  tracking_code: { key: 'shipments_kind_tracking', columns: ['tracking_code'] },
  status: { key: 'shipments_kind_created', columns: ['status_code', 'created_at'] },
  ready_at: { key: 'shipments_kind_ready', columns: ['ready_at'] },
  collected_at: { key: 'shipments_kind_collected', columns: ['collected_at'] },
} as const satisfies Record<ShipmentSort, { key: string; columns: readonly string[] }>;

/** Key of all shipments of an account in the order of their creation. */
const ACCOUNT_CREATED = 'shipments_created';
/** Key of all shipments of a license in that order. */
const LICENSE_CREATED = 'shipments_export';

const KIND_CREATED = SORTS.created_at.key;
/** Key in which what has no label lies together. */
const LABELLED = SORTS.ready_at.key;

/** Limits a listing; what is left out does not limit. Times are ISO 8601 UTC, both ends included. */
export interface ShipmentFilter {
  active?: boolean;
  serviceType?: 1 | 2;
  status?: string;
  /** The store's order id. */
  orderId?: string;
  trackingCode?: string;
  /** Whether a label was made, which is when `ready_at` is set. */
  labelGenerated?: boolean;
  createdFrom?: string;
  createdTo?: string;
}

/** Which entries of a list make a page, and in which direction they are read. */
interface Window {
  descending: boolean;
  offset: number;
  limit: number;
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
  /** How many at most are counted one by one; the list ends there. Default: all of them. */
  counted?: number;
}

/** A list, and what is known of it before it is read. */
interface ShipmentList extends ListShipmentsArgs {
  /** Kinds of which the list is made. */
  kinds: readonly ShipmentCount[];
  /** Whether the account has no other kinds. */
  isWhole: boolean;
}

/** A page of shipments, and how many the list has. */
export interface ShipmentPage {
  rows: ShipmentRecord[];
  total: number;
  /** Whether there are more than were counted. */
  hasMore: boolean;
}

/**
 * A page of created shipments, or of the open reservations in one status, and how many there are in all. Rows with an
 * equal sort value are ordered by id, those of one status by creation and id, in the same direction. The page's ids come
 * from a key, from the end of the list that is nearer, and the rows by their ids. Two statements; one more where the list
 * is limited by what `shipment_counts` does not know: times, labels, an order or a tracking code. A page far inside a
 * list that is filtered or not sorted by creation takes longer, at most as long as a statement may.
 */
export async function listShipments(db: Executor, args: ListShipmentsArgs): Promise<ShipmentPage> {
  const list = await listOf(db, args);
  if (list === null) return EMPTY;
  const { sort, page, perPage } = args;
  const { total, hasMore } = await countListed(db, list);
  const offset = (page - 1) * perPage;
  const limit = Math.max(0, Math.min(perPage, total - offset));
  if (limit === 0) return { rows: [], total, hasMore };
  const window = { descending: sort.descending, offset, limit };
  const ids = idsOfPage(list, hasMore ? window : nearerWindow(window, total));
  const rows = await SHIPMENT.select(
    db,
    `FROM (${ids.sql}) page
     STRAIGHT_JOIN shipments s ON s.id = page.id
     JOIN carriers r ON r.id = s.carrier_id
     JOIN orders o ON o.id = s.order_id
     ORDER BY ${orderBy(sort.column, sort.descending, 's.')}`,
    ids.params,
  );
  return { rows, total, hasMore };
}

const EMPTY: ShipmentPage = { rows: [], total: 0, hasMore: false };

/** The parts of the list; null for an empty one. */
async function listOf(db: Executor, args: ListShipmentsArgs): Promise<ShipmentList | null> {
  if (args.licenseIds.length === 0) return null;
  const counts = await countsOf(db, args);
  const kinds = counts.filter(kindFilter(args));
  return kinds.length === 0 ? null : { ...args, kinds, isWhole: kinds.length === counts.length };
}

/** The statement of the ids of a list's newest shipments, and whether it has others; null for an empty list. */
export async function newestOf(
  db: Executor,
  args: Pick<ListShipmentsArgs, 'accountId' | 'licenseIds' | 'filter'>,
  limit: number,
): Promise<{ ids: Sql; hasMore: boolean } | null> {
  const sort = { column: 'created_at', descending: true } as const;
  const list = await listOf(db, { ...args, sort, page: 1, perPage: limit, counted: limit });
  if (list === null) return null;
  const { total, hasMore } = await countListed(db, list);
  return {
    ids: idsOfPage(list, { descending: true, offset: 0, limit }),
    hasMore: hasMore || total > limit,
  };
}

function countsOf(
  db: Executor,
  { accountId, licenseIds, filter }: ListShipmentsArgs,
): Promise<ShipmentCount[]> {
  const { status } = filter;
  return status !== undefined && stateOf(filter) === 'reserved'
    ? countReservations(db, { licenseIds, status })
    : listShipmentCounts(db, accountId);
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

/** Asks MySQL only where the counts of the kinds do not tell how many the list has. */
async function countListed(db: Executor, list: ShipmentList) {
  const key = limitingKey(list.filter);
  if (key === null) return { total: sumOf(list.kinds), hasMore: false };
  const { sql, params } = selectable(list, ownKey(list) ?? key);
  const limited =
    list.counted === undefined
      ? { sql, params }
      : { sql: `FROM (SELECT 1 ${sql} LIMIT ?) found`, params: [...params, list.counted + 1] };
  const found = (await expression('COUNT(*)', int).first(db, limited.sql, limited.params)) ?? 0;
  const total = Math.min(found, list.counted ?? found);
  return { total, hasMore: found > total };
}

/** Entries of the list from its end, or from the nearer one: the way to a place in a key is over all before it. */
function nearerWindow({ descending, offset, limit }: Window, total: number): Window {
  const behind = total - offset - limit;
  return offset <= behind
    ? { descending, offset, limit }
    : { descending: !descending, offset: behind, limit };
}

/** Statuses of shipments that no carrier has accepted yet. */
const OPEN_STATUSES: ReadonlySet<unknown> = new Set(['pending', 'needs_attention']);

/** The state of what a list shows: created shipments, unless it is limited to a status of open reservations. */
export function stateOf({ status }: ShipmentFilter): 'created' | 'reserved' {
  return OPEN_STATUSES.has(status) ? 'reserved' : 'created';
}

/** ORDER BY of a sort; equal values are in the order of the ids. Shipments without the value are the smallest. */
function orderBy(column: ShipmentSort, descending: boolean, table = ''): string {
  const direction = descending ? 'DESC' : 'ASC';
  return [...SORTS[column].columns, 'id'].map((name) => `${table}${name} ${direction}`).join(', ');
}

/**
 * The statement that gives the ids of a page. It reads a key in the order of the list, or several kinds along one, which
 * it merges. A list that is limited by more than kinds and has another order is sorted: it was counted as a whole too.
 */
function idsOfPage(list: ShipmentList, window: Window): Sql {
  const { kinds } = list;
  const { column } = list.sort;
  const own = ownKey(list);
  if (column === 'created_at' && own !== null) return idsAlong(list, window, own);
  const key = pageKey(list);
  const isMerged = key === SORTS[column].key && kinds.length > 1 && kinds.length <= MERGED_KINDS;
  return isMerged ? idsOfKinds(list, window) : idsAlong(list, window, key);
}

/** The key that a page is read along. Only that of the creation has the columns of every sort, and tells what has a label. */
function pageKey({ sort, filter }: ShipmentList): string {
  const { key } = SORTS[sort.column];
  const limiting = limitingKey(filter) ?? key;
  if (limiting !== LABELLED || key === LABELLED) return limiting;
  // Shipments without a label are few, and lie together.
  return filter.labelGenerated === false && key === KIND_CREATED ? LABELLED : KIND_CREATED;
}

/**
 * The key of all shipments of the account, or of the one license, in the order of creation; null for a list that is
 * limited by more than a time.
 */
function ownKey({ filter, kinds, isWhole }: ShipmentList): string | null {
  const { createdFrom: _from, createdTo: _to, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return null;
  if (isWhole) return ACCOUNT_CREATED;
  return new Set(kinds.map(({ licenseId }) => licenseId)).size === 1 ? LICENSE_CREATED : null;
}

/** The key that leads with what the filter limits beside the kind; null where it limits the kind alone. */
function limitingKey(filter: ShipmentFilter): string | null {
  if (filter.orderId !== undefined) return 'shipments_order';
  if (filter.trackingCode !== undefined) return 'shipments_license_code';
  if (filter.createdFrom !== undefined || filter.createdTo !== undefined) return KIND_CREATED;
  return filter.labelGenerated === undefined ? null : LABELLED;
}

function idsAlong(list: ShipmentList, { descending, limit, offset }: Window, key: string): Sql {
  const { sql, params } = selectable(list, key);
  return {
    sql: `SELECT id ${sql} ORDER BY ${orderBy(list.sort.column, descending)} LIMIT ? OFFSET ?`,
    params: [...params, limit, offset],
  };
}

/** The first ids of every kind along its own key, merged. */
function idsOfKinds(list: ShipmentList, { descending, limit, offset }: Window): Sql {
  const { columns, key } = SORTS[list.sort.column];
  const order = orderBy(list.sort.column, descending);
  const parts = list.kinds.map((kind) => {
    const { sql, params } = selectable({ ...list, kinds: [kind] }, key);
    return {
      sql: `SELECT id, ${columns.join(', ')} ${sql} ORDER BY ${order} LIMIT ?`,
      params: [...params, offset + limit],
    };
  });
  const { sql, params } = unionOf(parts);
  return {
    sql: `SELECT id FROM (${sql}) merged ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...params, limit, offset],
  };
}

/** FROM and WHERE of the shipments of a list along a key. */
function selectable({ accountId, filter, kinds }: ShipmentList, key: string): Sql {
  const { createdFrom, createdTo, labelGenerated, trackingCode, orderId } = filter;
  const oneOf = (column: string, read: (kind: ShipmentCount) => string | number) =>
    isOneOf(column, [...new Set(kinds.map(read))]);
  const [licensed, ...licenses] = oneOf('license_id', ({ licenseId }) => licenseId);
  const ofKinds = [
    oneOf('status_code', ({ status }) => status),
    oneOf('service_type', ({ serviceType }) => serviceType),
  ];
  const { sql, params } = allOf([
    ['account_id = ?', key === ACCOUNT_CREATED ? accountId : undefined],
    [licensed, ...licenses],
    [`state = '${stateOf(filter)}'`],
    // These keys are for lists of all kinds: a check of every entry takes a third of the time of a long way.
    ...(key === ACCOUNT_CREATED || key === LICENSE_CREATED ? [] : ofKinds),
    ['created_at >= ?', createdFrom && isoToSql(createdFrom)],
    ['created_at <= ?', createdTo && isoToSql(createdTo)],
    ...(labelGenerated === undefined ? [] : [[`ready_at IS ${labelGenerated ? 'NOT ' : ''}NULL`] as const]),
    ['tracking_code = ?', trackingCode],
    [`order_id IN (SELECT id FROM orders WHERE ${licensed} AND order_id = ?)`, ...licenses, orderId],
  ]);
  return { sql: `FROM shipments FORCE INDEX (${key}) WHERE ${sql}`, params };
}
