import type { Executor, SqlValue } from '../database.js';
import { int } from '../row.js';
import { type Sql, unionOf } from '../sql.js';
import { type ShipmentCount, sumOf } from './shipment-counts.js';
import {
  countBetween,
  type Entry,
  idsAlong,
  idsOfKinds,
  kindKey,
  type ListedKind,
  type Page,
} from './shipment-pages.js';

/** So many entries before the page are rather merged than passed in one more step. */
const NEAR = 500;
/** Steps at most. Where all kinds are spread alike the first one lands; each tells how they are spread there. */
const STEPS = 4;

/** An entry of the list. */
interface Place {
  entry: Entry;
  /** Entries of the list before it. */
  rank: number;
  /** What was passed on the last step, kind by kind. */
  passed: readonly ListedKind[];
}

/**
 * The ids of a page far inside a list of several kinds. To merge them from the end on would copy all entries up to the
 * page. So an entry near it is looked for in the largest kind, as far in as the kind's share of the list is, and the
 * entries of the others up to there are counted; then the kinds are merged around it. Both read keys alone. Null where
 * the kind has no such entry.
 */
export async function idsAroundPlace(db: Executor, page: Page): Promise<Sql | null> {
  const place = await placeNear(db, page);
  if (place === null) return null;
  const { window } = page;
  const { entry, rank } = place;
  const end = window.offset + window.limit;
  const parts: Page[] = [];
  if (window.offset < rank) {
    const limit = Math.min(end, rank) - window.offset;
    const backwards = { descending: !window.descending, offset: Math.max(0, rank - end), limit };
    parts.push({ ...page, from: { ...entry, isIncluded: false }, window: backwards });
  }
  if (end > rank) {
    const offset = Math.max(0, window.offset - rank);
    const onwards = { ...window, offset, limit: Math.min(window.limit, end - rank) };
    parts.push({ ...page, from: { ...entry, isIncluded: true }, window: onwards });
  }
  return unionOf(parts.map(idsOfKinds));
}

async function placeNear(db: Executor, page: Page): Promise<Place | null> {
  let place: Place | null = null;
  for (let step = 0; step < STEPS; step++) {
    const distance = page.window.offset - (place?.rank ?? 0);
    if (place !== null && Math.abs(distance) <= NEAR) return place;
    const next: Place | null = await stepFrom(db, page, place, distance);
    if (next === null) return place;
    place = next;
  }
  return place;
}

/** An entry about that far from a place, or from the end of the list: one of the kind that is most frequent there. */
async function stepFrom(
  db: Executor,
  page: Page,
  place: Place | null,
  distance: number,
): Promise<Place | null> {
  const spread = place?.passed ?? page.kinds;
  const largest = spread.reduce((one, other) => (other.total > one.total ? other : one));
  const all = Math.max(1, sumOf(spread));
  const skipped = Math.floor((Math.abs(distance) * largest.total) / all);
  const isOnwards = distance >= 0;
  const start = place === null ? {} : { from: { ...place.entry, isIncluded: isOnwards } };
  const descending = page.window.descending === isOnwards;
  const way = { ...page, ...start, window: { descending, offset: skipped, limit: 1 } };
  const entry = await firstEntry(db, { ...way, kinds: [largest] });
  if (entry === null) return null;
  const others = page.kinds.filter((kind) => !isSameKind(kind, largest));
  const passed = [
    { ...largest, total: skipped },
    ...(await countEach(db, { ...way, to: entry, kinds: others })),
  ];
  const between = sumOf(passed);
  // On the way back the entry itself is passed too.
  return { entry, rank: (place?.rank ?? 0) + (isOnwards ? between : -between - 1), passed };
}

function isSameKind(one: ShipmentCount, other: ShipmentCount): boolean {
  return (
    one.licenseId === other.licenseId && one.status === other.status && one.serviceType === other.serviceType
  );
}

async function firstEntry(db: Executor, page: Page): Promise<Entry | null> {
  const { sql, params } = idsAlong(page, kindKey(page.column));
  const [row] = await db.select(
    `SELECT id, ${page.column} AS value FROM shipments WHERE id = (${sql})`,
    params,
  );
  return row === undefined ? null : { value: sortValue(row.value), id: int(row, 'id') };
}

function sortValue(value: unknown): SqlValue {
  if (typeof value === 'string' || value === null) return value;
  throw new TypeError('Shipments are sorted by texts and times.');
}

/** The kinds with how many entries of each lie between the ends of the page. */
async function countEach(db: Executor, page: Page): Promise<ListedKind[]> {
  if (page.kinds.length === 0) return [];
  const { sql, params } = countBetween(page);
  const rows = await db.select(sql, params);
  const totals = new Map(rows.map((row) => [int(row, 'place'), int(row, 'total')]));
  return page.kinds.map((kind, place) => ({ ...kind, total: totals.get(place) ?? 0 }));
}
