import { itemsOfBatches, listBatchItemSizes, readBatchItems } from '../../../db/queries/batch-items.js';
import { listBatches } from '../../../db/queries/batches.js';
import type { BatchItemStatus } from '../../../domain/batch.js';
import type { HttpDeps } from '../../deps.js';
import { type CursorPage, type CursorRequest, cursorPage, keysetPage, pageText } from '../../pagination.js';
import { batchItemText, batchWithItemsText } from './presenter.js';

/**
 * A page is built in memory and at one go, which others wait for: this takes some ten milliseconds. A row that is larger
 * by itself is a page of its own.
 */
const MAX_ITEMS = 2000;
const MAX_BYTES = 2 * 1024 * 1024;

/** What of a page's room a row takes. */
interface Size {
  items: number;
  bytes: number;
}

/** A page of an account's batches, newest first, each with all of its items: the JSON text of the answer. */
export async function batchPage(
  deps: HttpDeps,
  args: { accountId: number; licenseIds: readonly number[]; page: CursorRequest },
): Promise<string> {
  const { accountId, licenseIds, page } = args;
  const found = await listBatches(deps.db, { accountId, licenseIds, ...keysetPage(page) });
  const { rows, ...rest } = fittingPage(found, page, ({ summary, payloadBytes }) => ({
    items: summary.total,
    bytes: payloadBytes,
  }));
  const items = await itemsOfBatches(deps.db, { accountId, batchIds: rows.map((batch) => batch.id) });
  return pageText(
    rows.map((batch) => batchWithItemsText(batch, items.get(batch.id) ?? [])),
    rest,
  );
}

/** A page of a batch's items in their order: the JSON text of the answer. */
export async function batchItemPage(
  deps: HttpDeps,
  args: { accountId: number; batchId: number; status: BatchItemStatus | undefined; page: CursorRequest },
): Promise<string> {
  const { page, ...which } = args;
  const found = await listBatchItemSizes(deps.db, { ...which, ...keysetPage(page) });
  const { rows, ...rest } = fittingPage(found, page, ({ bytes }) => ({ items: 1, bytes }));
  const items = await readBatchItems(deps.db, { ...which, ids: rows.map(({ id }) => id) });
  return pageText(items.map(batchItemText), rest);
}

/** The page of as many of the rows as it can hold: at least one, if there is one. */
function fittingPage<T extends { id: number }>(
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
  for (const { items, bytes } of sizes) {
    taken.items += items;
    taken.bytes += bytes;
    if (count > 0 && (taken.items > MAX_ITEMS || taken.bytes > MAX_BYTES)) break;
    count += 1;
  }
  return count;
}
