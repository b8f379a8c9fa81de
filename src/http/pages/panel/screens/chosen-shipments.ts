import { findShipments } from '../../../../db/queries/shipments/shipments.js';
import { AppError, notFound } from '../../../../domain/errors.js';
import { html } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import type { AccountVisit, ScreenPage } from '../screen.js';
import { filled } from '../words/words.js';
import { allFound, listQueryOf } from './found-shipments.js';

/**
 * The shipments that a form names: the ticked ones, or all that its list finds. @throws AppError `not_found`,
 * `validation_failed` for more than `most`
 */
export async function chosenOf(visit: AccountVisit, most: number): Promise<readonly ShipmentRecord[]> {
  const { form, words } = visit;
  const ticked = [...new Set(form.getAll('uuid'))];
  const isAll = form.get('all') !== null;
  const found = isAll ? await allFound(visit, listQueryOf(form.get('query') ?? ''), most + 1) : [];
  if (Math.max(found.length, isAll ? 0 : ticked.length) > most) {
    throw new AppError('validation_failed', filled(words.lists.tooMany, { count: most }));
  }
  return isAll ? found : await tickedShipments(visit, ticked);
}

/** The list from which the form came. */
export function listOf({ account, form }: Pick<AccountVisit, 'account' | 'form'>): string {
  const query = listQueryOf(form.get('query') ?? '').toString();
  return `/panel/a/${account.id}/shipments${query === '' ? '' : `?${query}`}`;
}

/** Nothing was ticked. */
export function noneChosen(visit: AccountVisit, title: string): ScreenPage {
  const { words } = visit;
  const main = html`<p class="error" role="alert">${words.shipments.noneChosen}</p>
<p><a href="${listOf(visit)}">${words.back}</a></p>`;
  return { title, main, status: 422 };
}

/** The shipments in the order in which they were ticked. @throws AppError `not_found` */
async function tickedShipments(
  { app, account }: AccountVisit,
  uuids: readonly string[],
): Promise<ShipmentRecord[]> {
  if (!uuids.every((uuid) => /^[0-9a-f-]{36}$/.test(uuid))) throw notFound('shipment');
  const found = await findShipments(app.db, { accountId: account.id, uuids });
  const byUuid = new Map(found.map((one) => [one.uuid, one]));
  return uuids.map((uuid) => {
    const shipment = byUuid.get(uuid);
    if (shipment === undefined) throw notFound('shipment');
    return shipment;
  });
}
