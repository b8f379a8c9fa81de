import { webhookDeliveryRoutes } from '../../../../api/v2/webhooks/delivery-routes.js';
import type { WebhookDelivery } from '../../../../api/v2/webhooks/schema.js';
import { type Html, html } from '../../../../domain/html.js';
import { isWebPage } from '../../../../domain/web-page.js';
import { israelDayOf } from '../../../../lib/israel-time.js';
import { cutText } from '../../../../lib/text.js';
import { nowIso } from '../../../../lib/time.js';
import { code, facts, field, moment, select, table } from '../layout.js';
import { inLicense, type LicenseVisit, licenseScreen } from '../license-screen.js';
import { actionButton, cursorPage, cursorPages, livePage, source, state } from '../parts.js';
import type { Live } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';

const ANSWER_CHARACTERS = 500;

const STATUSES = ['pending', 'succeeded', 'failed'] as const;

/** A subscription's deliveries with their filter, and the form that sends failed ones again. */
export async function deliveryList(
  visit: LicenseVisit,
  webhook: string,
  refusal: Refusal | null,
): Promise<Html> {
  const { words, query, license } = visit;
  const { webhooks: texts } = words;
  const status = STATUSES.find((one) => one === query.get('status'));
  const wanted = { params: { id: webhook }, query: cursorPage(visit, status) };
  const { data, meta } = await visit.call(webhookDeliveryRoutes.list, wanted);
  const statuses = STATUSES.map((one) => [one, texts.statuses[one]] as const);
  const path = ({ id }: WebhookDelivery) => `/webhooks/${webhook}/deliveries/${id}`;
  const list = table(words, texts.deliveries, data, [
    // First, where a phone shows it without scrolling.
    [words.state, ({ status: one }) => state(one, texts.statuses[one])],
    [
      words.time,
      (one) => html`<a href="${inLicense(visit, path(one))}">${moment(one.created_at, words)}</a>`,
    ],
    [words.event, (one) => eventName(one, words)],
    [texts.attempts, ({ attempts }) => attempts.at(-1)?.number ?? 0],
    [words.lastAnswer, lastAnswer],
    [
      texts.redeliver,
      (one) =>
        one.status === 'pending'
          ? null
          : actionButton(inLicense(visit, `${path(one)}/redeliver`), texts.redeliver),
    ],
  ]);
  return html`<section id="deliveries"><h2>${texts.deliveries}</h2>
<form method="get" class="row bulk"><input type="hidden" name="license" value="${license.id}">
${select('status', words.state, [['', texts.anyStatus], ...statuses], status)}
<button class="second">${words.shipments.filter}</button></form>
${list}
${cursorPages(visit, meta)}
<form method="post" action="${inLicense(visit, `/webhooks/${webhook}/replay`)}" class="row bulk">
${field('since', texts.replaySince, { type: 'date', value: visit.form.get('since') ?? israelDayOf(nowIso()), error: refusal?.fields.since?.[0], required: true })}
<button class="second">${texts.replay}</button></form></section>`;
}

function eventName({ event }: WebhookDelivery, { webhooks: { events } }: Words): string {
  return Object.entries(events).find(([name]) => name === event)?.[1] ?? event;
}

function lastAnswer({ attempts }: WebhookDelivery): Html | null {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return html`<bdi dir="auto" class="answer">${last.error ?? `HTTP ${last.response_status}`}</bdi>`;
}

/** Names the delivery of the path. */
function named({ params: { webhook = '', delivery = '' } }: LicenseVisit) {
  return { params: { id: webhook, delivery } };
}

const show = licenseScreen('get', '/webhooks/:webhook/deliveries/:delivery', 'manage', async (visit) => {
  const { webhooks: texts } = visit.words;
  const { data: delivery } = await visit.call(webhookDeliveryRoutes.show, named(visit));
  const back = inLicense(visit, `/webhooks/${delivery.webhook_id}`);
  return livePage(visit, {
    title: texts.delivery,
    main: (part) => html`<p><a href="${back}">${texts.one}</a></p>
${part}
<h2>${texts.payload}</h2>
${source(texts.payload, JSON.stringify(delivery.payload, null, 2))}`,
    live: outcome(visit, delivery),
  });
});

function outcome(visit: LicenseVisit, delivery: WebhookDelivery): Live {
  const { words } = visit;
  const { webhooks: texts } = words;
  const { id, webhook_id, status, attempts, next_attempt_at } = delivery;
  const isPending = status === 'pending';
  const again = inLicense(visit, `/webhooks/${webhook_id}/deliveries/${id}/redeliver`);
  const tries = table(words, texts.attempts, attempts.toReversed(), [
    ['#', ({ number }) => number],
    [words.time, ({ started_at }) => moment(started_at, words)],
    [texts.duration, ({ duration_ms: ms }) => (ms === null ? '' : html`<bdi dir="ltr">${ms} ms</bdi>`)],
    ['HTTP', ({ response_status }) => response_status ?? ''],
    [texts.trouble, ({ error }) => html`<bdi dir="auto" class="answer">${error ?? ''}</bdi>`],
    [
      texts.receiverSaid,
      ({ response_body }) =>
        html`<bdi dir="ltr" class="answer">${cutText(response_body ?? '', ANSWER_CHARACTERS)}</bdi>`,
    ],
  ]);
  const content = html`
<p role="status">${state(status, texts.statuses[status])}</p>
${isWebPage(attempts.at(-1)?.response_body ?? null) ? html`<p class="warning">${texts.pageAnswered}</p>` : null}
${facts([
  [words.event, eventName(delivery, words)],
  [texts.eventId, code(delivery.event_id)],
  [texts.made, moment(delivery.created_at, words)],
  [texts.nextAttempt, moment(next_attempt_at, words)],
  [texts.completed, moment(delivery.completed_at, words)],
])}
${isPending ? null : html`<div class="actions">${actionButton(again, texts.redeliver, 'first')}</div>`}
<h2>${texts.attempts}</h2>
${tries}`;
  return { id: 'outcome', content, isOpen: isPending };
}

const redeliver = licenseScreen(
  'post',
  '/webhooks/:webhook/deliveries/:delivery/redeliver',
  'manage',
  async (visit) => {
    const { params } = named(visit);
    await visit.call(webhookDeliveryRoutes.redeliver, { params });
    return { to: inLicense(visit, `/webhooks/${params.id}/deliveries/${params.delivery}`), notice: 'resent' };
  },
);

export const deliveryScreens = [show, redeliver];
