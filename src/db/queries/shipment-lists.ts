import type { ShipmentRecord } from '../../domain/shipment.js';
import type { ShipmentSort } from '../../domain/shipment-list.js';
import { isActive } from '../../domain/statuses.js';
import type { Executor } from '../database.js';
import { int, text } from '../row.js';
import { type Sql, unionOf } from '../sql.js';
import { countReservations, listShipmentCounts, type ShipmentCount, sumOf } from './shipment-counts.js';
import {
  ACCOUNT_CREATED,
  countBetween,
  countOfTime,
  idsAlong,
  idsOfKinds,
  isKindRatherSorted,
  KIND_CREATED,
  kindKey,
  type ListedKind,
  nearerWindow,
  orderBy,
  type Page,
  type ShipmentFilter,
  selectable,
  stateOf,
} from './shipment-pages.js';
import { idsAroundPlace } from './shipment-places.js';
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
}

/** So many shipments of a time are rather looked up and sorted than picked out of all others. */
const FEW = 5_000;
/** So many entries more than a merge reads, a walk along the account's key does not take: how many it takes is a guess. */
const MANY = 20_000;
/** So many entries more than a page lies inside its list, a merge does not read: it begins near the page instead. */
const FAR = 5_000;
/** Kinds that are rather counted one by one than grouped, which copies every entry. */
const FEW_KINDS = 100;
/** Kinds that are merged in one statement, at most. */
const MOST_KINDS = 400;

/**
 * A page of created shipments, or of the open reservations in one status, and how many there are in all. Rows with an equal sort value are ordered by id, those of
 * one status by creation and id, in the same direction. The page's ids come from a key alone, from the end of the list
 * that is nearer, and the rows by their ids. Two statements; one more where the list is limited by what is not counted:
 * times, labels, an order or a tracking code; two more for a page far inside a list that is merged.
 */
export async function listShipments(
  db: Executor,
  args: ListShipmentsArgs,
): Promise<{ rows: ShipmentRecord[]; total: number }> {
  if (args.licenseIds.length === 0) return { rows: [], total: 0 };
  const counts = await countsOf(db, args);
  const kinds = counts.filter(kindFilter(args));
  if (kinds.length === 0) return { rows: [], total: 0 };
  const { accountId, filter, sort, page, perPage } = args;
  const { listed, total } = await countListed(db, args, { kinds, all: sumOf(counts) });
  const offset = (page - 1) * perPage;
  const limit = Math.max(0, Math.min(perPage, total - offset));
  if (limit === 0) return { rows: [], total };
  const window = { descending: sort.descending, offset, limit };
  const list = { accountId, filter, column: sort.column, kinds: listed, matching: total, all: sumOf(counts) };
  const parts = partsOf({ ...list, window }).map((part) => idsOfPage(db, part));
  const ids = unionOf(await Promise.all(parts));
  const rows = await SHIPMENT.select(
    db,
    `FROM (${ids.sql}) page
     STRAIGHT_JOIN shipments s ON s.id = page.id
     JOIN carriers r ON r.id = s.carrier_id
     JOIN orders o ON o.id = s.order_id
     ORDER BY ${orderBy(sort.column, sort.descending, 's.')}`,
    ids.params,
  );
  return { rows, total };
}

function countsOf(
  db: Executor,
  { accountId, licenseIds, filter }: ListShipmentsArgs,
): Promise<ShipmentCount[]> {
  const { status } = filter;
  return status !== undefined && stateOf(filter) === 'reserved'
    ? countReservations(db, { accountId, licenseIds, status })
    : listShipmentCounts(db, accountId);
}

/** Whether the counts tell how many shipments the filter lets through. */
function isCounted(filter: ShipmentFilter): boolean {
  return lookupKey(filter) === null && !isDated(filter) && filter.labelGenerated === undefined;
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

function whole(kind: ShipmentCount): ListedKind {
  return { ...kind, matching: kind.total };
}

/**
 * How many shipments the filter lets through, and the kinds that they may be of. Lists in the order of the creation need
 * not know how many of each kind: these are counted together, along the shortest key.
 */
async function countListed(
  db: Executor,
  args: ListShipmentsArgs,
  { kinds, all }: { kinds: readonly ShipmentCount[]; all: number },
): Promise<{ listed: ListedKind[]; total: number }> {
  const { accountId, filter, sort } = args;
  if (isCounted(filter)) return { listed: kinds.map(whole), total: sumOf(kinds) };
  const { status, serviceType, active, labelGenerated } = filter;
  const isOfAnyKind = [status, serviceType, active, labelGenerated].every((one) => one === undefined);
  const isByCreation = sort.column === 'created_at' || sort.column === 'status';
  if (lookupKey(filter) === null && isOfAnyKind && isByCreation) {
    const licenseIds = [...new Set(kinds.map(({ licenseId }) => licenseId))];
    const { sql, params } = countOfTime(filter, sumOf(kinds) === all ? { accountId } : { licenseIds });
    const [row] = await db.select(sql, params);
    return { listed: kinds.map(whole), total: row === undefined ? 0 : int(row, 'total') };
  }
  const listed = await countMatching(db, args, kinds);
  return { listed, total: listed.reduce((sum, { matching }) => sum + matching, 0) };
}

/** The kinds of which the filter lets any through. */
async function countMatching(
  db: Executor,
  { accountId, filter }: ListShipmentsArgs,
  kinds: readonly ShipmentCount[],
): Promise<ListedKind[]> {
  const lookup = lookupKey(filter);
  if (lookup === null && kinds.length <= FEW_KINDS) {
    // The key of either holds the other one too.
    const column = filter.labelGenerated === undefined || isDated(filter) ? 'created_at' : 'ready_at';
    const { sql, params } = countBetween({ accountId, filter, kinds, column });
    const counted = await db.select(sql, params);
    const places = new Map(counted.map((row) => [int(row, 'place'), int(row, 'total')]));
    return kinds
      .map((kind, place) => ({ ...kind, matching: places.get(place) ?? 0 }))
      .filter(({ matching }) => matching > 0);
  }
  const { sql, params } = selectable({ accountId, filter, kinds }, lookup ?? KIND_CREATED);
  const columns = 'license_id, status_code, service_type';
  const rows = await db.select(`SELECT ${columns}, COUNT(*) AS matching ${sql} GROUP BY ${columns}`, params);
  const nameOf = (...parts: (string | number)[]) => parts.join(' ');
  const found = new Map(
    rows.map((row) => [
      nameOf(int(row, 'license_id'), text(row, 'status_code'), int(row, 'service_type')),
      int(row, 'matching'),
    ]),
  );
  return kinds.flatMap((kind) => {
    const matching = found.get(nameOf(kind.licenseId, kind.status, kind.serviceType));
    return matching === undefined ? [] : [{ ...kind, matching }];
  });
}

/** The page in its parts: of a list by status, which is one list by creation after the other, those that it lies in. */
function partsOf(page: Page): Page[] {
  const { kinds, window, column, filter } = page;
  if (column !== 'status' || !isCounted(filter)) return [nearer(page)];
  const statuses = [...new Set(kinds.map(({ status }) => status))].sort();
  const parts: Page[] = [];
  let start = 0;
  for (const status of window.descending ? statuses.reverse() : statuses) {
    const own = kinds.filter((kind) => kind.status === status);
    const matching = sumOf(own);
    const offset = Math.max(0, window.offset - start);
    const limit = Math.min(matching, window.offset + window.limit - start) - offset;
    const part = { ...page, column: 'created_at', kinds: own, matching } as const;
    if (limit > 0) parts.push(nearer({ ...part, window: { ...window, offset, limit } }));
    start += matching;
  }
  return parts;
}

function nearer(page: Page): Page {
  return { ...page, window: nearerWindow(page.window, page.matching) };
}

/**
 * The statement that gives the ids of a page. Kinds are merged, each read along its own key, unless that would take
 * longer than to walk along the account's key and leave out what the list has not.
 */
async function idsOfPage(db: Executor, page: Page): Promise<Sql> {
  const { kinds, window, matching, all, filter, column } = page;
  const lookup = lookupKey(filter);
  if (lookup !== null) return idsAlong(page, lookup);
  const isLabelled = filter.labelGenerated !== undefined;
  if (isLabelled && !isDated(filter)) return idsOfLabels(page);
  // The account's key holds neither the labels nor, without the kinds, what sets reservations apart.
  const isWhole = sumOf(kinds) === all && !isLabelled && stateOf(filter) === 'created';
  if (column === 'created_at' && isWhole) return idsAlong({ ...page, isWhole }, ACCOUNT_CREATED);
  if (isDated(filter) && isRatherSorted(page)) return idsAlong(page, KIND_CREATED);
  const reach = window.offset + window.limit;
  const merged = kinds.reduce((entries, { total }) => entries + Math.min(total, reach), 0);
  const walked = (reach * all) / sumOf(kinds);
  const isWide = kinds.length > MOST_KINDS;
  if (column === 'created_at' && !isLabelled) {
    const isShorter = isWide ? walked < matching : walked < merged - MANY;
    if (isShorter) return idsAlong(page, ACCOUNT_CREATED);
  }
  if (isWide) return idsAlong(page, kindKey(column));
  const isFar = isCounted(filter) && merged > reach + FAR;
  return (isFar ? await idsAroundPlace(db, page) : null) ?? idsOfKinds(page);
}

/** Few with or without a label are found by that and sorted; of many some come soon in the order of the list. */
function idsOfLabels(page: Page): Sql {
  if (page.matching <= FEW) return idsAlong(page, kindKey('ready_at'));
  return page.kinds.length > MOST_KINDS ? idsAlong(page, KIND_CREATED) : idsOfKinds(page);
}

/** Whether the shipments of a time are rather sorted as a whole than read in the order of the list. */
function isRatherSorted(page: Page): boolean {
  const { column, kinds, matching } = page;
  if (column === 'created_at' || column === 'status') return matching <= FEW;
  return kinds.every((kind) => isKindRatherSorted(page, kind));
}

/** A tracking code or an order names a handful of shipments. */
function lookupKey({ orderId, trackingCode }: ShipmentFilter): string | null {
  if (orderId !== undefined) return 'shipments_order';
  return trackingCode === undefined ? null : 'shipments_license_code';
}
