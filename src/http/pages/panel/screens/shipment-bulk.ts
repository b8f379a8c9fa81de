import { shipmentRoutes } from '../../../../api/v2/shipments/routes.js';
import { AppError } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { type Column, code, field, table } from '../layout.js';
import { operationsOf } from '../operations.js';
import { checkbox, state } from '../parts.js';
import { type AccountVisit, accountScreen, actorOf, type ScreenPage } from '../screen.js';
import { toldError } from '../told.js';
import type { Words } from '../words/en.js';
import { filled } from '../words/words.js';
import { chosenOf, listOf, noneChosen } from './chosen-shipments.js';
import { printFields } from './shipment-print.js';

/**
 * Acts on the ticked shipments; they stand in their form. `isPart`: whether the list has more pages.
 * `elsewhere`: how many are ticked that this page does not show.
 */
export function bulkActions(
  visit: AccountVisit,
  { total, isPart, elsewhere }: { total: number; isPart: boolean; elsewhere: number },
): Html {
  const { words, account, kept } = visit;
  const { shipments: texts, lists, slips } = words;
  const here = `/panel/a/${account.id}/shipments`;
  const all = filled(lists.allFound, { count: total });
  const most = filled(lists.mostChosen, { count: LIMITS.panel.chosenAtOnce });
  const clear = html`name="clear" value="on" formaction="${here}/chosen"`;
  return html`<div class="row bulk">
<p class="count" role="status">${lists.chosenCount} <b data-count>${kept.length}</b>${elsewhere === 0 ? null : html` <span>${filled(lists.chosenElsewhere, { count: elsewhere })}</span>`}
<span class="error" data-full hidden>${most}</span></p>
${isPart ? checkbox('all', all, { value: 'on', isChecked: false }) : null}
<button class="second" formtarget="_blank">${texts.print}</button>
<button class="second" formtarget="_blank" formaction="${here}/slips">${slips.slips}</button>
<button class="second" formtarget="_blank" formaction="${here}/picks">${slips.picks}</button>
<button class="second" formaction="${here}/cancel">${texts.cancelChosen}</button>
<button class="plain" ${clear}>${lists.clearChosen}</button>
<noscript><button class="plain" formaction="${here}/chosen">${lists.keepChosen}</button></noscript>
<details><summary>${lists.howToPrint}</summary><div class="row">${printFields(visit)}</div></details>
</div>`;
}

/** Asks first, and cancels when the answer is sent. */
const cancel = accountScreen('post', '/shipments/cancel', 'ship', async (visit) => {
  const { form, words } = visit;
  const chosen = await chosenOf(visit, LIMITS.panel.listRows);
  if (chosen.length === 0) return noneChosen(visit, words.shipments.cancelTitle);
  return form.get('answer') === 'cancel' ? await outcomes(visit, chosen) : question(visit, chosen);
});

function question(visit: AccountVisit, chosen: readonly ShipmentRecord[]): ScreenPage {
  const { words, account, form } = visit;
  const { shipments: texts } = words;
  const here = `/panel/a/${account.id}/shipments`;
  const button = filled(texts.cancelCount, { count: chosen.length });
  return {
    title: texts.cancelTitle,
    main: html`<p>${texts.cancelQuestion}</p>
${table(words, texts.title, chosen, columnsWith([texts.status, ({ status }) => state(status.code, words.statuses[status.code])], words, here))}
<form method="post" action="${here}/cancel" class="narrow">
${chosen.map(({ uuid }) => html`<input type="hidden" name="uuid" value="${uuid}">`)}
<input type="hidden" name="query" value="${form.get('query') ?? ''}">
${field('reason', words.reason, { maxlength: 255 })}
<div class="actions"><button class="danger" name="answer" value="cancel">${button}</button>
<a class="button second" href="${listOf(visit)}">${words.back}</a></div>
</form>`,
  };
}

/** The column that matters most comes second, where a phone shows it without scrolling. `list`: the path of the list. */
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
  const { words, account, kept, whileWaiting } = visit;
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
  const asked = new Set(chosen.map(({ id }) => id));
  return {
    title: texts.cancelTitle,
    kept: kept.filter((id) => !asked.has(id)),
    main: html`<p role="status">${filled(texts.cancelledCount, { done, total: chosen.length })}</p>
${table(words, texts.cancelTitle, cancelled, columnsWith(outcome, words, here))}
<p><a class="button" href="${listOf(visit)}">${texts.title}</a></p>`,
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
  const call = operationsOf(app, {
    account,
    actor: actorOf(visit),
    whileWaiting: (wait) => wait(),
    isCounted: true,
  });
  return chosen.map(async ({ uuid }) => {
    try {
      await call(shipmentRoutes.cancel, { params: { uuid }, body });
      return null;
    } catch (error) {
      if (error instanceof AppError) return toldError(visit.words, error);
      throw error;
    }
  });
}

export const bulkScreens = [cancel];
