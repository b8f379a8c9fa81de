import { itemsOfBatches, listBatchItemSizes, readBatchItems } from '../../../db/queries/batch-items.js';
import { listBatches } from '../../../db/queries/batches.js';
import type { BatchItemStatus } from '../../../domain/batch.js';
import type { HttpDeps } from '../../deps.js';
import { fittingPage } from '../../fitting-page.js';
import { type CursorRequest, keysetPage, pageText } from '../../pagination.js';
import { batchItemText, batchWithItemsText } from './presenter.js';

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
  const { rows, ...rest } = fittingPage(found, page, ({ bytes }) => ({ bytes }));
  const items = await readBatchItems(deps.db, { ...which, ids: rows.map(({ id }) => id) });
  return pageText(items.map(batchItemText), rest);
}
