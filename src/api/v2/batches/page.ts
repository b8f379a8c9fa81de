import {
  itemsOfBatches,
  listBatchItemSizes,
  readBatchItems,
} from '../../../db/queries/batches/batch-items.js';
import { listBatches } from '../../../db/queries/batches/batches.js';
import type { BatchItemStatus } from '../../../domain/batch.js';
import { fittingPage } from '../../fitting-page.js';
import type { HttpApp } from '../../http-app.js';
import { type CursorRequest, keysetPage, pageText } from '../../pagination.js';
import { batchItemText, batchWithItemsText } from './presenter.js';

/** A page of an account's batches with all items, newest first, as JSON text. */
export async function batchPage(
  app: HttpApp,
  args: { accountId: number; licenseIds: readonly number[]; page: CursorRequest },
): Promise<string> {
  const { accountId, licenseIds, page } = args;
  const found = await listBatches(app.db, { accountId, licenseIds, ...keysetPage(page) });
  const { rows, ...rest } = fittingPage(found, page, ({ summary, payloadBytes }) => ({
    items: summary.total,
    bytes: payloadBytes,
  }));
  const items = await itemsOfBatches(app.db, { accountId, batchIds: rows.map((batch) => batch.id) });
  return pageText(
    rows.map((batch) => batchWithItemsText(batch, items.get(batch.id) ?? [])),
    rest,
  );
}

/** A page of a batch's items in order, as JSON text. */
export async function batchItemPage(
  app: HttpApp,
  args: { accountId: number; batchId: number; status: BatchItemStatus | undefined; page: CursorRequest },
): Promise<string> {
  const { page, ...which } = args;
  const found = await listBatchItemSizes(app.db, { ...which, ...keysetPage(page) });
  const { rows, ...rest } = fittingPage(found, page, ({ bytes }) => ({ bytes }));
  const items = await readBatchItems(app.db, { ...which, ids: rows.map(({ id }) => id) });
  return pageText(items.map(batchItemText), rest);
}
