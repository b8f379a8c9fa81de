import { findShipments } from '../../../../db/queries/shipments/shipments.js';
import { AppError, notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { labelsOfShipments } from '../../../../services/labels/labels.js';
import { type Column, code, field, select, table } from '../layout.js';
import { operationsOf } from '../operations.js';
import { state } from '../parts.js';
import { type AccountVisit, accountScreen, actorOf, type ScreenPage } from '../screen.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';
import { shipmentAnswer } from './story.js';

/** As many as a page of the list can show. */
const MOST = Math.max(LIMITS.panel.pageRows, LIMITS.panel.found);

/** What can be done with the ticked shipments; it stands in their form. */
export function bulkActions({ words, account }: AccountVisit): Html {
  const { shipments: texts } = words;
  const types = Object.entries({ '': texts.ownType, thermal: 'Thermal', A4: 'A4' });
  const positions = Array.from({ length: 8 }, (_, index) => [String(index + 1), String(index + 1)] as const);
  return html`<div class="row bulk">
${select('label_type', texts.labelType, types)}
${select('position', texts.position, positions)}
<button>${texts.print}</button>
<button class="second" formaction="/panel/a/${account.id}/shipments/cancel">${texts.cancelChosen}</button>
</div>`;
}

const print = accountScreen('post', '/shipments/labels', 'ship', async (visit) => {
  const { app, account, form, words, whileWaiting } = visit;
  const shipments = form.getAll('uuid');
  if (shipments.length === 0) return noneChosen(visit, words.shipments.print);
  const labelType = form.get('label_type');
  const position = Number(form.get('position') ?? 1);
  const { url } = await whileWaiting(() =>
    labelsOfShipments(app, {
      accountId: account.id,
      shipments,
      options: {
        labelType: labelType === 'A4' || labelType === 'thermal' ? labelType : null,
        position: position >= 1 && position <= 8 ? Math.trunc(position) : 1,
        sort: undefined,
      },
    }),
  );
  return { to: new URL(url).pathname };
});

/** Asks first, and cancels when the answer is sent. */
const cancel = accountScreen('post', '/shipments/cancel', 'ship', async (visit) => {
  const { form, words } = visit;
  const uuids = [...new Set(form.getAll('uuid'))];
  if (uuids.length === 0) return noneChosen(visit, words.shipments.cancelTitle);
  const chosen = await chosenShipments(visit, uuids);
  return form.get('answer') === 'cancel' ? await outcomes(visit, chosen) : question(visit, chosen);
});

function noneChosen({ words, account }: AccountVisit, title: string): ScreenPage {
  const main = html`<p class="error">${words.shipments.noneChosen}</p>
<p><a href="/panel/a/${account.id}/shipments">${words.back}</a></p>`;
  return { title, main, status: 422 };
}

/** The shipments in the order in which they were ticked. @throws AppError `not_found`, `validation_failed` */
async function chosenShipments(
  { app, account }: AccountVisit,
  uuids: readonly string[],
): Promise<ShipmentRecord[]> {
  if (uuids.length > MOST) {
    throw new AppError('validation_failed', `At most ${MOST} shipments are cancelled at once.`);
  }
  if (!uuids.every((uuid) => /^[0-9a-f-]{36}$/.test(uuid))) throw notFound('shipment');
  const found = await findShipments(app.db, { accountId: account.id, uuids });
  return uuids.map((uuid) => {
    const shipment = found.find((one) => one.uuid === uuid);
    if (shipment === undefined) throw notFound('shipment');
    return shipment;
  });
}

function question({ words, account }: AccountVisit, chosen: readonly ShipmentRecord[]): ScreenPage {
  const { shipments: texts } = words;
  const here = `/panel/a/${account.id}/shipments`;
  const button = filled(texts.cancelCount, { count: chosen.length });
  return {
    title: texts.cancelTitle,
    main: html`<p>${texts.cancelQuestion}</p>
${table(words, texts.title, chosen, columnsWith([texts.status, ({ status }) => state(status.code, words.statuses[status.code])], words, here))}
<form method="post" action="${here}/cancel" class="narrow">
${chosen.map(({ uuid }) => html`<input type="hidden" name="uuid" value="${uuid}">`)}
${field('reason', words.reason, { maxlength: 255 })}
<div class="actions"><button class="danger" name="answer" value="cancel">${button}</button>
<a class="button second" href="${here}">${words.back}</a></div>
</form>`,
  };
}

/** What matters most comes second, where a phone shows it without scrolling. `list`: the path of the list. */
function columnsWith<T extends ShipmentRecord>(second: Column<T>, words: Words, list: string): Column<T>[] {
  return [
    [
      words.trackingCode,
      ({ uuid, trackingCode }) => html`<a href="${list}/${uuid}">${code(trackingCode ?? uuid)}</a>`,
    ],
    second,
    [words.order, ({ order }) => code(order.number)],
    [words.recipient, ({ recipient }) => html`<bdi>${recipient.name}</bdi>`],
  ];
}

/** Cancels each and shows what became of it. Sent again, the form changes nothing: what is cancelled stays so. */
async function outcomes(visit: AccountVisit, chosen: readonly ShipmentRecord[]): Promise<ScreenPage> {
  const { words, account, whileWaiting } = visit;
  const { shipments: texts } = words;
  const here = `/panel/a/${account.id}/shipments`;
  const refusals = await whileWaiting(() => Promise.all(cancelEach(visit, chosen)));
  const cancelled = chosen.map((one, index) => ({ ...one, refusal: refusals[index] ?? null }));
  const outcome: Column<(typeof cancelled)[number]> = [
    words.story.outcome,
    ({ refusal }) =>
      refusal === null
        ? state('cancelled', words.statuses.cancelled)
        : html`${state('failed', texts.notCancelled)} <bdi dir="auto" class="answer">${refusal}</bdi>`,
  ];
  const done = refusals.filter((refusal) => refusal === null).length;
  return {
    title: texts.cancelTitle,
    main: html`<p role="status">${filled(texts.cancelledCount, { done, total: chosen.length })}</p>
${table(words, texts.cancelTitle, cancelled, columnsWith(outcome, words, here))}
<p><a class="button" href="${here}">${texts.title}</a></p>`,
  };
}

/**
 * Cancels all at the same time, so that a slow carrier is waited for once; for each why it was refused, or null.
 */
function cancelEach(visit: AccountVisit, chosen: readonly ShipmentRecord[]): Promise<string | null>[] {
  const { app, account, form } = visit;
  const reason = form.get('reason')?.trim() ?? '';
  const body = reason === '' ? {} : { reason };
  // The page waits for all of them: the first that ends must not count the request as working again.
  const v2 = operationsOf(app, {
    account,
    actor: actorOf(visit),
    whileWaiting: (wait) => wait(),
    isCounted: true,
  });
  return chosen.map(async ({ uuid }) => {
    try {
      await v2('cancelShipment', { params: { uuid }, body }, shipmentAnswer);
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.message;
      throw error;
    }
  });
}

export const bulkScreens = [print, cancel];
