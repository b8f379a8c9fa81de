import type { ShipmentSort } from '../../../domain/shipment-list.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { isoToSql } from '../../../lib/time.js';
import { type Sql, unionOf } from '../../sql.js';
import { allOf, isOneOf } from '../keyset.js';
import type { ShipmentCount } from './shipment-counts.js';

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

/** A list, and what is known of it before it is read. */
export interface ShipmentList {
  accountId: number;
  filter: ShipmentFilter;
  column: ShipmentSort;
  /** What the list is made of. */
  kinds: readonly ShipmentCount[];
  /** Whether the account has no other kinds. */
  isWhole: boolean;
}

/** Which entries of a list make a page, and in which direction they are read. */
export interface Window {
  descending: boolean;
  offset: number;
  limit: number;
}

/** Statuses of shipments that no carrier has accepted yet. */
const OPEN_STATUSES: ReadonlySet<unknown> = new Set(['pending', 'needs_attention']);

/** The state of what a list shows: created shipments, unless it is limited to a status of open reservations. */
export function stateOf({ status }: ShipmentFilter): 'created' | 'reserved' {
  return OPEN_STATUSES.has(status) ? 'reserved' : 'created';
}

/** ORDER BY of a sort; equal values are in the order of the ids. Shipments without the value are the smallest. */
export function orderBy(column: ShipmentSort, descending: boolean, table = ''): string {
  const direction = descending ? 'DESC' : 'ASC';
  return [...SORTS[column].columns, 'id'].map((name) => `${table}${name} ${direction}`).join(', ');
}

/** FROM and WHERE of a list that has to be counted; null where the counts of its kinds tell how many it has. */
export function uncounted(list: ShipmentList): Sql | null {
  const key = limitingKey(list.filter);
  return key === null ? null : selectable(list, ownKey(list) ?? key);
}

/**
 * The statement that gives the ids of a page. It reads a key in the order of the list, or several kinds along one, which
 * it merges. A list that is limited by more than kinds and has another order is sorted: it was counted as a whole too.
 */
export function idsOfPage(list: ShipmentList, window: Window): Sql {
  const { column, kinds } = list;
  const own = ownKey(list);
  if (column === 'created_at' && own !== null) return idsAlong(list, window, own);
  const key = pageKey(list);
  const isMerged =
    key === SORTS[column].key && kinds.length > 1 && kinds.length <= LIMITS.database.mergedKinds;
  return isMerged ? idsOfKinds(list, window) : idsAlong(list, window, key);
}

/** The key that a page is read along. Only that of the creation has the columns of every sort, and tells what has a label. */
function pageKey({ column, filter }: ShipmentList): string {
  const { key } = SORTS[column];
  const limiting = limitingKey(filter) ?? key;
  if (limiting !== LABELLED || key === LABELLED) return limiting;
  // What has no label yet is little, and lies together.
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
function limitingKey({
  orderId,
  trackingCode,
  createdFrom,
  createdTo,
  labelGenerated,
}: ShipmentFilter): string | null {
  if (orderId !== undefined) return 'shipments_order';
  if (trackingCode !== undefined) return 'shipments_license_code';
  if (createdFrom !== undefined || createdTo !== undefined) return KIND_CREATED;
  return labelGenerated === undefined ? null : LABELLED;
}

function idsAlong(list: ShipmentList, { descending, limit, offset }: Window, key: string): Sql {
  const { sql, params } = selectable(list, key);
  return {
    sql: `SELECT id ${sql} ORDER BY ${orderBy(list.column, descending)} LIMIT ? OFFSET ?`,
    params: [...params, limit, offset],
  };
}

/** The first ids of every kind along its own key, merged. */
function idsOfKinds(list: ShipmentList, { descending, limit, offset }: Window): Sql {
  const { columns, key } = SORTS[list.column];
  const order = orderBy(list.column, descending);
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
