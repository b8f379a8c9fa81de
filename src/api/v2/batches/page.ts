import { itemsOfBatches } from '../../../db/queries/batch-items.js';
import { listBatches } from '../../../db/queries/batches.js';
import type { BatchRecord } from '../../../domain/batch.js';
import type { HttpDeps } from '../../deps.js';
import { type CursorRequest, cursorPage, keysetPage, pageText } from '../../pagination.js';
import { batchWithItemsText } from './presenter.js';

/**
 * A page is built in memory and at one go, which others wait for: this takes some ten milliseconds. A batch that is larger
 * by itself is a page of its own.
 */
const MAX_ITEMS = 2000;
const MAX_BYTES = 2 * 1024 * 1024;

/** A page of an account's batches, newest first, each with all of its items: the JSON text of the answer. */
export async function batchPage(
  deps: HttpDeps,
  args: { accountId: number; licenseIds: readonly number[]; page: CursorRequest },
): Promise<string> {
  const { accountId, licenseIds, page } = args;
  const { cursor, perPage } = page;
  const found = await listBatches(deps.db, { accountId, licenseIds, ...keysetPage(page) });
  const backwards = cursor?.direction === 'prev';
  // Counted from the cursor on: a page backwards ends with the row that is next to it.
  const count = fitting(backwards ? found.toReversed() : found, perPage);
  const cut = backwards ? found.slice(-(count + 1)) : found.slice(0, count + 1);
  const { rows, links, meta } = cursorPage(cut, { ...page, perPage: Math.max(count, 1) });
  const items = await itemsOfBatches(deps.db, { accountId, batchIds: rows.map((batch) => batch.id) });
  const data = rows.map((batch) => batchWithItemsText(batch, items.get(batch.id) ?? []));
  return pageText(data, { links, meta: { ...meta, per_page: perPage } });
}

/** How many of the batches one page can hold: at least one, if there is one. */
function fitting(batches: readonly BatchRecord[], perPage: number): number {
  let items = 0;
  let bytes = 0;
  let count = 0;
  for (const batch of batches.slice(0, perPage)) {
    items += batch.summary.total;
    bytes += batch.payloadBytes;
    if (count > 0 && (items > MAX_ITEMS || bytes > MAX_BYTES)) break;
    count += 1;
  }
  return count;
}
