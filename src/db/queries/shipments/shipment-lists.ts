import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { ShipmentSort } from '../../../domain/shipment-list.js';
import { isActive } from '../../../domain/statuses.js';
import type { Executor } from '../../database.js';
import { int } from '../../row.js';
import { expression, shape } from '../../selection.js';
import type { Sql } from '../../sql.js';
import { countReservations, listShipmentCounts, type ShipmentCount, sumOf } from './shipment-counts.js';
import {
  idsOfPage,
  orderBy,
  type ShipmentFilter,
  type ShipmentList,
  stateOf,
  uncounted,
  type Window,
} from './shipment-pages.js';
import { SHIPMENT } from './shipments.js';

export type { ShipmentFilter } from './shipment-pages.js';

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

/** A page of shipments, and how many the list has. */
interface ShipmentPage {
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
  if (args.licenseIds.length === 0) return EMPTY;
  const counts = await countsOf(db, args);
  const kinds = counts.filter(kindFilter(args));
  if (kinds.length === 0) return EMPTY;
  const { accountId, filter, sort, page, perPage, counted } = args;
  const isWhole = kinds.length === counts.length;
  const list = { accountId, filter, column: sort.column, kinds, isWhole };
  const { total, hasMore } = await countListed(db, list, counted);
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

function countsOf(
  db: Executor,
  { accountId, licenseIds, filter }: ListShipmentsArgs,
): Promise<ShipmentCount[]> {
  const { status } = filter;
  return status !== undefined && stateOf(filter) === 'reserved'
    ? countReservations(db, { accountId, licenseIds, status })
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

async function countListed(db: Executor, list: ShipmentList, counted: number | undefined) {
  const found = uncounted(list);
  if (found === null) return { total: sumOf(list.kinds), hasMore: false };
  const { sql, params } = counted === undefined ? found : firstOf(found, counted + 1);
  const row = await TOTAL.first(db, sql, params);
  const total = row?.total ?? 0;
  const most = counted ?? total;
  return { total: Math.min(total, most), hasMore: total > most };
}

function firstOf({ sql, params }: Sql, most: number): Sql {
  return { sql: `FROM (SELECT 1 ${sql} LIMIT ?) found`, params: [...params, most] };
}

const TOTAL = shape({ total: expression('COUNT(*)', int) });

/** Entries of the list from its end, or from the nearer one: the way to a place in a key is over all before it. */
function nearerWindow({ descending, offset, limit }: Window, total: number): Window {
  const behind = total - offset - limit;
  return offset <= behind
    ? { descending, offset, limit }
    : { descending: !descending, offset: behind, limit };
}
