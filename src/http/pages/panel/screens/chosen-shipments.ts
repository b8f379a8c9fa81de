import { findShipments } from '../../../../db/queries/shipments/shipments.js';
import { AppError, notFound } from '../../../../domain/errors.js';
import { html } from '../../../../domain/html.js';
import { quoted } from '../../../../domain/problems/problem.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { isUuid } from '../../../../lib/ids.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { idsOfText } from '../chosen.js';
import { type AccountVisit, accountScreen, type ScreenPage } from '../screen.js';
import { filled } from '../words/words.js';
import { allFound, listQueryOf } from './found-shipments.js';

/**
 * The shipments that a form names: the ticked ones of all pages, or all that its list finds. @throws AppError
 * `not_found`, `validation_failed` for more than `most`
 */
export async function chosenOf(visit: AccountVisit, most: number): Promise<readonly ShipmentRecord[]> {
  const { form } = visit;
  if (form.get('all') === null) return await tickedOf(visit, most);
  const found = await allFound(visit, listQueryOf(form.get('query') ?? ''), most + 1);
  if (found.length > most) throw tooMany(visit, most);
  return found;
}

function tooMany({ words }: AccountVisit, most: number): AppError {
  return new AppError('validation_failed', quoted(filled(words.lists.tooMany, { count: most })));
}

/** The ticked shipments of all pages. @throws as {@link chosenOf} */
async function tickedOf(visit: AccountVisit, most: number): Promise<readonly ShipmentRecord[]> {
  const { form } = visit;
  const ticked = [...new Set(form.getAll('uuid'))];
  const others = idsOfText(form.get('others') ?? '');
  if (ticked.length + others.length > most) throw tooMany(visit, most);
  const before = await shipmentsOfIds(visit, others);
  const shown = await tickedShipments(visit, ticked);
  return [...before, ...shown.filter(({ id }) => !others.includes(id))];
}

/** The shipments of a list's other pages, in the order in which they were ticked; those erased since are left out. */
async function shipmentsOfIds(
  { app, account }: AccountVisit,
  ids: readonly number[],
): Promise<ShipmentRecord[]> {
  const found = await findShipments(app.db, { accountId: account.id, ids });
  const byId = new Map(found.map((one) => [one.id, one]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Keeps what is ticked, or forgets it, and leads to a page of the list. */
const keep = accountScreen('post', '/shipments/chosen', 'ship', async (visit) => {
  const { form } = visit;
  const isCleared = form.get('clear') !== null;
  const chosen = isCleared ? [] : await tickedOf(visit, LIMITS.panel.chosenAtOnce);
  const page = form.get('page');
  return { to: listOf(visit, page === null ? {} : { page }), kept: chosen.map(({ id }) => id) };
});

/** The list from which the form came; `values`: of its query, in place of others. */
export function listOf(
  { account, form }: Pick<AccountVisit, 'account' | 'form'>,
  values: Readonly<Record<string, string>> = {},
): string {
  const query = listQueryOf(form.get('query') ?? '');
  for (const [name, value] of Object.entries(values)) query.set(name, value);
  const text = query.toString();
  return `/panel/a/${account.id}/shipments${text === '' ? '' : `?${text}`}`;
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
  if (!uuids.every(isUuid)) throw notFound('shipment');
  const found = await findShipments(app.db, { accountId: account.id, uuids });
  const byUuid = new Map(found.map((one) => [one.uuid, one]));
  return uuids.map((uuid) => {
    const shipment = byUuid.get(uuid);
    if (shipment === undefined) throw notFound('shipment');
    return shipment;
  });
}

export const chosenScreens = [keep];
