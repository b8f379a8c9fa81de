import { LIMITS } from '../lib/limits/values.js';
import { type CursorPage, type CursorRequest, cursorPage } from './pagination.js';

/** The room that a row takes on a page. */
interface Size {
  /** Default 1. */
  items?: number;
  bytes: number;
}

/**
 * {@link cursorPage} with as many rows as fit, at least one if any. `sizeOf`: the size of a row when it is read in
 * full.
 */
export function fittingPage<T extends { id: number }>(
  found: readonly T[],
  page: CursorRequest,
  sizeOf: (row: T) => Size,
): CursorPage<T> {
  const { cursor, perPage } = page;
  const backwards = cursor?.direction === 'prev';
  // Counted from the cursor: a page backwards ends with the row next to it.
  const count = fitting((backwards ? found.toReversed() : found).slice(0, perPage).map(sizeOf));
  const cut = backwards ? found.slice(-(count + 1)) : found.slice(0, count + 1);
  const { rows, links, meta } = cursorPage(cut, { ...page, perPage: Math.max(count, 1) });
  return { rows, links, meta: { ...meta, per_page: perPage } };
}

function fitting(sizes: readonly Size[]): number {
  const taken = { items: 0, bytes: 0 };
  let count = 0;
  for (const { items = 1, bytes } of sizes) {
    taken.items += items;
    taken.bytes += bytes;
    if (count > 0 && (taken.items > LIMITS.requests.pageItems || taken.bytes > LIMITS.requests.pageBytes))
      break;
    count += 1;
  }
  return count;
}
