import { shipmentsOfBatch } from '../../../../db/queries/shipments/shipments.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { SLOTS_PER_SHEET } from '../../../../domain/labels.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { labelsOfShipments } from '../../../../services/labels/labels.js';
import { select } from '../layout.js';
import { type AccountVisit, type Answer, accountScreen } from '../screen.js';
import { filled } from '../words/words.js';
import { chosenOf, noneChosen } from './chosen-shipments.js';
import { allFound, listQueryOf } from './found-shipments.js';

/** In which order labels are printed. `place`: of the goods in the warehouse. */
const ORDERS = ['chosen', 'number', 'place'] as const;

/** How labels are printed; the fields stand in the form that names the shipments. */
export function printFields({ words, nextSlot }: AccountVisit): Html {
  const { shipments: texts, lists } = words;
  const { thermal, A4 } = words.licenses.choices;
  const types = Object.entries({ '': texts.ownType, thermal, A4 });
  const slots = Array.from({ length: SLOTS_PER_SHEET }, (_, index) => String(index + 1));
  const orders = ORDERS.map((one) => [one, lists.orders[one]] as const);
  return html`${select('label_type', texts.labelType, types)}
${select(
  'position',
  texts.position,
  slots.map((slot) => [slot, slot] as const),
  String(nextSlot),
)}
${select('order', lists.order, orders)}`;
}

/** One click that prints all that a list's query finds, as far as one document goes. */
export function printAll({ account, words, nextSlot }: AccountVisit, query: string, total: number): Html {
  const { lists: texts } = words;
  const most = LIMITS.panel.chosenAtOnce;
  const text = filled(total > most ? texts.printFirst : texts.printWaiting, { count: Math.min(total, most) });
  return html`<form method="post" action="/panel/a/${account.id}/shipments/labels" target="_blank">
<input type="hidden" name="query" value="${query}"><input type="hidden" name="all" value="first">
<input type="hidden" name="order" value="number"><input type="hidden" name="position" value="${nextSlot}">
<button class="second">${text}</button></form>`;
}

const print = accountScreen('post', '/shipments/labels', 'ship', async (visit) => {
  const { words, form } = visit;
  const most = LIMITS.panel.chosenAtOnce;
  const chosen =
    form.get('all') === 'first'
      ? fittingOneDocument(await allFound(visit, listQueryOf(form.get('query') ?? ''), most))
      : await chosenOf(visit, most);
  if (chosen.length === 0) return noneChosen(visit, words.shipments.print);
  return await printed(visit, chosen);
});

/** One click that prints a batch's labels, those without one first, as far as one document goes. */
export function printBatch(
  { account, words, nextSlot }: AccountVisit,
  batch: { id: string; created: number },
): Html | null {
  if (batch.created === 0) return null;
  const count = Math.min(batch.created, LIMITS.panel.chosenAtOnce);
  return html`<form method="post" action="/panel/a/${account.id}/batches/${batch.id}/labels" target="_blank">
<input type="hidden" name="position" value="${nextSlot}">
<button>${filled(words.lists.printBatch, { count })}</button></form>`;
}

const ofBatch = accountScreen('post', '/batches/:batch/labels', 'ship', async (visit) => {
  const { app, account, params } = visit;
  const found = await shipmentsOfBatch(app.db, {
    accountId: account.id,
    batchUuid: params.batch ?? '',
    limit: LIMITS.panel.chosenAtOnce,
  });
  if (found.length === 0) throw notFound('batch');
  return await printed(visit, fittingOneDocument(found));
});

/** Prints the labels, and leads to their document. `chosen`: in the order in which they were ticked or booked. */
async function printed(visit: AccountVisit, chosen: readonly ShipmentRecord[]): Promise<Answer> {
  const { app, account, form, whileWaiting } = visit;
  const order = form.get('order') ?? '';
  const shipments = order === 'number' ? chosen.toSorted(byOrderNumber) : chosen;
  const wanted = form.get('label_type');
  const { path, nextSlot } = await whileWaiting(() =>
    labelsOfShipments(app, {
      accountId: account.id,
      shipments: shipments.map(({ uuid }) => uuid),
      options: {
        labelType: wanted === 'A4' || wanted === 'thermal' ? wanted : null,
        position: slotOf(form.get('position')),
        sort: order === 'place' ? 'asc' : order === 'number' ? null : undefined,
      },
    }),
  );
  return { to: path, ...(nextSlot === null ? {} : { nextSlot }) };
}

/** A slot of an A4 sheet, from 1; the first for anything else. */
function slotOf(text: string | null): number {
  const slot = Math.trunc(Number(text ?? 1));
  return slot >= 1 && slot <= SLOTS_PER_SHEET ? slot : 1;
}

/** The first of them whose packages one document holds. */
function fittingOneDocument(found: readonly ShipmentRecord[]): readonly ShipmentRecord[] {
  let labels = 0;
  const end = found.findIndex(({ packages }) => {
    labels += packages;
    return labels > LIMITS.labels.ofDocument;
  });
  return end === -1 ? found : found.slice(0, end);
}

function byOrderNumber({ order: a }: ShipmentRecord, { order: b }: ShipmentRecord): number {
  return a.number.localeCompare(b.number, 'en', { numeric: true });
}

export const printScreens = [print, ofBatch];
