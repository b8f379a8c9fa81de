import { LIMITS } from '../lib/limits/values.js';
import { type CursorPage, type CursorRequest, cursorPage } from './pagination.js';

/** What of a page's room a row takes. */
interface Size {
  /** 1 unless told. */
  items?: number;
  bytes: number;
}

/**
 * {@link cursorPage} of as many of the rows as a page can hold: at least one, if there is one. `sizeOf` tells of a row
 * what it will take when it is read whole.
 */
export function fittingPage<T extends { id: number }>(
  found: readonly T[],
  page: CursorRequest,
  sizeOf: (row: T) => Size,
): CursorPage<T> {
  const { cursor, perPage } = page;
  const backwards = cursor?.direction === 'prev';
  // Counted from the cursor on: a page backwards ends with the row that is next to it.
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
