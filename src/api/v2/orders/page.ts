import { listOrderSizes, readOrders } from '../../../db/queries/shipments/orders.js';
import { fittingPage } from '../../fitting-page.js';
import type { HttpApp } from '../../http-app.js';
import { type CursorRequest, keysetPage, pageText } from '../../pagination.js';
import { orderText } from './presenter.js';

/** A page of the licenses' orders, newest first, as JSON text. */
export async function orderPage(
  { db }: HttpApp,
  args: { accountId: number; licenseIds: readonly number[]; page: CursorRequest },
): Promise<string> {
  const { accountId, licenseIds, page } = args;
  const found = await listOrderSizes(db, { accountId, licenseIds, ...keysetPage(page) });
  const { rows, ...rest } = fittingPage(found, page, ({ bytes }) => ({ bytes }));
  const orders = await readOrders(db, { accountId, ids: rows.map(({ id }) => id) });
  return pageText(orders.map(orderText), rest);
}
