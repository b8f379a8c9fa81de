import type { ShipmentSort } from '../../domain/shipment-list.js';
import { isoToSql } from '../../lib/time.js';
import type { SqlValue } from '../database.js';
import { type Sql, unionOf } from '../sql.js';
import { allOf, type Condition, isOneOf } from './keyset.js';
import type { ShipmentCount } from './shipment-counts.js';

/** A sort: its columns, and the key that holds shipments of one kind in its order. */
interface Sort {
  key: string;
  columns: readonly [string, ...string[]];
  /** Whether shipments may lack the value; those come first, as MySQL sorts them. */
  isNullable: boolean;
}

const SORTS = {
  created_at: { key: 'shipments_kind_created', columns: ['created_at'], isNullable: false },
  updated_at: { key: 'shipments_kind_updated', columns: ['updated_at'], isNullable: false },
  tracking_code: { key: 'shipments_kind_tracking', columns: ['tracking_code'], isNullable: true },
  status: { key: 'shipments_kind_created', columns: ['status_code', 'created_at'], isNullable: false },
  ready_at: { key: 'shipments_kind_ready', columns: ['ready_at'], isNullable: true },
  collected_at: { key: 'shipments_kind_collected', columns: ['collected_at'], isNullable: true },
} as const satisfies Record<ShipmentSort, Sort>;

/** Key of all shipments of an account in the order of their creation. */
export const ACCOUNT_CREATED = 'shipments_created';
/** Key of all shipments of a license in that order. */
const LICENSE_CREATED = 'shipments_export';
/** Key of the shipments of a kind in that order; it holds what lists are sorted by. */
export const KIND_CREATED = SORTS.created_at.key;

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

/** Statuses of shipments that no carrier has accepted yet. */
const OPEN_STATUSES: ReadonlySet<unknown> = new Set(['pending', 'needs_attention']);

/** The state of what a list shows: created shipments, unless it is limited to a status of open reservations. */
export function stateOf({ status }: ShipmentFilter): 'created' | 'reserved' {
  return OPEN_STATUSES.has(status) ? 'reserved' : 'created';
}

/** Which entries of a list make a page, and in which direction they are read. */
export interface Window {
  descending: boolean;
  offset: number;
  limit: number;
}

/** A kind of which a list has shipments. */
export interface ListedKind extends ShipmentCount {
  /** How many of them the filter lets through. */
  matching: number;
}

/** Part of a list, and what is known of the list before it is read. */
export interface Page {
  accountId: number;
  filter: ShipmentFilter;
  column: ShipmentSort;
  /** What the list is made of. */
  kinds: readonly ListedKind[];
  window: Window;
  /** Shipments that the list has. */
  matching: number;
  /** Shipments that the account has. */
  all: number;
  /** The kinds are all that the account has: to ask each entry of a long way for its kind takes a third of the time. */
  isWhole?: boolean;
  /** An entry from which the window is counted, instead of the end of the list; itself the first where `isIncluded`. */
  from?: Entry & { isIncluded: boolean };
  /** An entry before which the list ends, in the window's direction. */
  to?: Entry;
}

/** An entry of a list: its value in the sort's column, and its id. */
export interface Entry {
  value: SqlValue;
  id: number;
}

/** Entries of the list from its end, or from the nearer one: the way to a place in a key is over all before it. */
export function nearerWindow({ descending, offset, limit }: Window, total: number): Window {
  const behind = total - offset - limit;
  return offset <= behind
    ? { descending, offset, limit }
    : { descending: !descending, offset: behind, limit };
}

/** The key that holds one kind in the order of a sort. */
export function kindKey(column: ShipmentSort): string {
  return SORTS[column].key;
}

/** ORDER BY of a sort; equal values are in the order of the ids. */
export function orderBy(column: ShipmentSort, descending: boolean, table = ''): string {
  const direction = descending ? 'DESC' : 'ASC';
  return [...SORTS[column].columns, 'id'].map((name) => `${table}${name} ${direction}`).join(', ');
}

/** Ids in one SELECT along a key; sorted where that has not the order of the list. */
export function idsAlong(page: Page, key: string): Sql {
  const { column, window } = page;
  const { sql, params } = selectable(page, key);
  return {
    sql: `SELECT id ${sql} ORDER BY ${orderBy(column, window.descending)} LIMIT ? OFFSET ?`,
    params: [...params, window.limit, window.offset],
  };
}

/** The first ids of every kind along its own key, merged. */
export function idsOfKinds(page: Page): Sql {
  const { kinds, window, column } = page;
  const { columns } = SORTS[column];
  const order = orderBy(column, window.descending);
  const keyOf = (kind: ListedKind) => (isKindRatherSorted(page, kind) ? KIND_CREATED : kindKey(column));
  const parts = kinds.map((kind) => {
    const { sql, params } = selectable({ ...page, kinds: [kind] }, keyOf(kind));
    return { sql: `SELECT id, ${columns.join(', ')} ${sql} ORDER BY ${order} LIMIT ?`, params };
  });
  const reach = window.offset + window.limit;
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0) return idsAlong(page, keyOf(only));
  return {
    sql: `SELECT id FROM (${parts.map(({ sql }) => `(${sql})`).join(' UNION ALL ')}) merged
      ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...parts.flatMap(({ params }) => [...params, reach]), window.limit, window.offset],
  };
}

/** An entry whose row has to be looked at costs as much as to sort so many by what their key holds. */
const LOOK_UP = 8;

/**
 * Whether the shipments of a kind that are of a time are rather sorted than picked out of all of the kind, in the order
 * of the list. Most values follow the creation, so that the list may begin with all that are not of the time.
 */
export function isKindRatherSorted({ filter, window }: Page, { total, matching }: ListedKind): boolean {
  if (matching === total) return false;
  const beginsOutside = window.descending ? filter.createdTo : filter.createdFrom;
  const lookedAt =
    beginsOutside === undefined
      ? ((window.offset + window.limit) * total) / Math.max(1, matching)
      : total - matching;
  return matching < Math.min(total, lookedAt) * LOOK_UP;
}

/** How many entries of each kind lie between the ends of a page: rows of the kind's place in `kinds`, and `total`. */
export function countBetween(
  page: Pick<Page, 'accountId' | 'filter' | 'column'> & { kinds: readonly ShipmentCount[] } & Partial<
      Pick<Page, 'from' | 'to' | 'window'>
    >,
): Sql {
  const parts = page.kinds.map((kind, place) => {
    const { sql, params } = selectable({ ...page, kinds: [kind] }, kindKey(page.column));
    return { sql: `SELECT ${place} AS place, COUNT(*) AS total ${sql}`, params };
  });
  return unionOf(parts);
}

/** How many shipments of a time there are of every kind, as `total`: of the whole account, or of its licenses named. */
export function countOfTime(
  filter: ShipmentFilter,
  owner: { accountId: number } | { licenseIds: number[] },
): Sql {
  const [key, owned] =
    'accountId' in owner
      ? [ACCOUNT_CREATED, ['account_id = ?', owner.accountId] as const]
      : [LICENSE_CREATED, isOneOf('license_id', owner.licenseIds)];
  const { sql, params } = allOf([owned, [`state = 'created'`], ...ofTime(filter)]);
  return { sql: `SELECT COUNT(*) AS total FROM shipments FORCE INDEX (${key}) WHERE ${sql}`, params };
}

function ofTime({ createdFrom, createdTo }: ShipmentFilter): Condition[] {
  return [
    ['created_at >= ?', createdFrom && isoToSql(createdFrom)],
    ['created_at <= ?', createdTo && isoToSql(createdTo)],
  ];
}

function ofLabels({ labelGenerated }: ShipmentFilter): Condition[] {
  return labelGenerated === undefined ? [] : [[`ready_at IS ${labelGenerated ? 'NOT ' : ''}NULL`]];
}

/** FROM and WHERE of the shipments of these kinds that the filter lets through. */
export function selectable(
  page: Pick<Page, 'accountId' | 'filter'> & { kinds: readonly ShipmentCount[] } & Partial<
      Pick<Page, 'isWhole' | 'from' | 'to' | 'column' | 'window'>
    >,
  key: string,
): Sql {
  const { accountId, filter, kinds, isWhole = false } = page;
  const ofLicenses = isOneOf('license_id', distinct(kinds.map(({ licenseId }) => licenseId)));
  const [licensed, ...licenses] = ofLicenses;
  const { sql, params } = allOf([
    ...(key === ACCOUNT_CREATED ? [['account_id = ?', accountId] as const] : []),
    ofLicenses,
    [`state = '${stateOf(filter)}'`],
    ...(isWhole ? [] : ofKinds(kinds)),
    ...ofTime(filter),
    ...ofLabels(filter),
    ['tracking_code = ?', filter.trackingCode],
    [`order_id IN (SELECT id FROM orders WHERE ${licensed} AND order_id = ?)`, ...licenses, filter.orderId],
    ...ends(page),
  ]);
  return { sql: `FROM shipments FORCE INDEX (${key}) WHERE ${sql}`, params };
}

function ofKinds(kinds: readonly ShipmentCount[]): Condition[] {
  return [
    isOneOf('status_code', distinct(kinds.map(({ status }) => status))),
    isOneOf('service_type', distinct(kinds.map(({ serviceType }) => serviceType))),
  ];
}

function ends({
  from,
  to,
  column,
  window,
}: Partial<Pick<Page, 'from' | 'to' | 'column' | 'window'>>): Condition[] {
  if (column === undefined || window === undefined) return [];
  const { descending } = window;
  return [
    ...(from === undefined ? [] : [beyond(column, from, { descending, isIncluded: from.isIncluded })]),
    ...(to === undefined ? [] : [beyond(column, to, { descending: !descending, isIncluded: false })]),
  ];
}

/** What lies beyond an entry in a direction. */
function beyond(
  column: ShipmentSort,
  { value, id }: Entry,
  { descending, isIncluded }: { descending: boolean; isIncluded: boolean },
): Condition {
  const { isNullable, columns } = SORTS[column];
  const [name] = columns;
  const sign = descending ? '<' : '>';
  const ofEqual = `id ${sign}${isIncluded ? '=' : ''} ?`;
  if (value === null) {
    const others = descending ? '' : `${name} IS NOT NULL OR `;
    return [`(${others}${name} IS NULL AND ${ofEqual})`, id];
  }
  const unset = descending && isNullable ? ` OR ${name} IS NULL` : '';
  return [`(${name} ${sign} ? OR ${name} = ? AND ${ofEqual}${unset})`, value, value, id];
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
