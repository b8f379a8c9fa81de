import type { BookingDecision } from '../../../../contracts/create-shipment.js';
import { listNeedingAttention, type NeedingAttention } from '../../../../db/queries/shipments/attention.js';
import { AppError } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { runsLink, runsWith } from '../../../../lib/temporal-ui.js';
import { resolveBooking } from '../../../../services/admin/bookings.js';
import { AdminError } from '../../../../services/admin/check.js';
import { code, facts, field, moment } from '../layout.js';
import { alertLine } from '../parts.js';
import { actingApp, type ScreenPage, screen, type Visit } from '../screen.js';
import { filled } from '../words/words.js';

const show = screen('get', '/attention', 'operate', (visit) => attentionPage(visit));

async function attentionPage(visit: Visit, wrong?: { uuid: string; text: string }): Promise<ScreenPage> {
  const { app, query, words } = visit;
  const waiting = await listNeedingAttention(app.db, { provider: query.get('carrier') ?? undefined });
  const { attention: texts } = words;
  if (waiting.length === 0) {
    return { title: texts.title, main: html`<p class="nothing">${texts.empty}</p>` };
  }
  const cards = waiting.map((one) => card(visit, one, wrong?.uuid === one.uuid ? wrong.text : undefined));
  return {
    title: texts.title,
    status: wrong === undefined ? 200 : 422,
    main: html`<p>${texts.intro}</p>
${cards}
<form method="post" action="/panel/attention" id="many" class="card row">
<p><b>${texts.chosen}</b></p>
<button name="action" value="retry" class="second">${texts.retrySubmit}</button>
${field('reason', words.reason, { maxlength: 255 })}
<button name="action" value="give_up" class="danger">${texts.giveUpSubmit}</button>
</form>`,
  };
}

function card({ app, words }: Visit, waiting: NeedingAttention, error?: string): Html {
  const { uuid, provider, orderId, reason, since, workflowId, accountId } = waiting;
  const { attention: texts, shipments, story } = words;
  const { temporalUiUrl: url, temporalNamespace: namespace } = app.config;
  const run = runsLink({ url, namespace }, runsWith('WorkflowId', workflowId));
  const choose = filled(shipments.choose, { order: orderId });
  return html`<section class="card" aria-labelledby="order-${uuid}">
<h2 id="order-${uuid}"><input type="checkbox" form="many" name="uuid" value="${uuid}" aria-label="${choose}">
<a href="/panel/a/${accountId}/shipments/${uuid}">${words.order} ${code(orderId)}</a></h2>
${error === undefined ? null : alertLine(error)}
${facts([
  [texts.reference, code(uuid)],
  [words.since, moment(since, words)],
  [words.carrier, code(provider)],
  [texts.reason, html`<bdi>${reason}</bdi>`],
  [story.run, run === null ? null : html`<a href="${run}" rel="noopener noreferrer">${code(workflowId)}</a>`],
])}
<div class="actions">
${decision(
  uuid,
  texts.adopt,
  'adopt',
  html`${field(`code-${uuid}`, words.trackingCode, { ltr: true, required: true, maxlength: 64 })}
<button>${texts.adoptSubmit}</button>`,
)}
${decision(uuid, texts.retry, 'retry', html`<button>${texts.retrySubmit}</button>`)}
${decision(
  uuid,
  texts.giveUp,
  'give_up',
  html`${field(`reason-${uuid}`, words.reason, { required: true, maxlength: 255 })}
<button class="danger">${texts.giveUpSubmit}</button>`,
)}
</div></section>`;
}

function decision(uuid: string, title: string, action: string, inside: Html): Html {
  return html`<details><summary class="button">${title}</summary>
<form method="post" action="/panel/attention/${uuid}">
<input type="hidden" name="action" value="${action}">
${inside}
</form></details>`;
}

function decisionOf(form: URLSearchParams, suffix: string): BookingDecision {
  const value = (name: string) => form.get(name + suffix)?.trim() ?? '';
  switch (form.get('action')) {
    case 'adopt':
      return { action: 'adopt', trackingCode: value('code') };
    case 'give_up':
      return { action: 'give_up', reason: value('reason') };
    default:
      return { action: 'retry' };
  }
}

const decideOne = screen('post', '/attention/:uuid', 'operate', async (visit) => {
  const uuid = visit.params.uuid ?? '';
  const wrong = await carryOut(visit, uuid, decisionOf(visit.form, `-${uuid}`));
  if (wrong !== null) return await attentionPage(visit, { uuid, text: wrong });
  return { to: '/panel/attention', notice: 'decided' };
});

const decideMany = screen('post', '/attention', 'operate', async (visit) => {
  const { form } = visit;
  for (const uuid of form.getAll('uuid')) {
    const wrong = await carryOut(visit, uuid, decisionOf(form, ''));
    if (wrong !== null) return await attentionPage(visit, { uuid, text: wrong });
  }
  return { to: '/panel/attention', notice: 'decided' };
});

/** Carries out a decision; why it cannot be, or null. */
async function carryOut(visit: Visit, uuid: string, decided: BookingDecision): Promise<string | null> {
  try {
    await visit.whileWaiting(() => resolveBooking(actingApp(visit), { uuid, decision: decided }));
    return null;
  } catch (error) {
    if (error instanceof AdminError || (error instanceof AppError && error.status < 500))
      return error.message;
    throw error;
  }
}

export const attentionScreens = [show, decideMany, decideOne];
