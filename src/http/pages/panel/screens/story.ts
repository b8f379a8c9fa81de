import { dataOf } from '../../../../api/v2/schemas.js';
import { ShipmentSchema } from '../../../../api/v2/shipments/schema.js';
import { findShipment } from '../../../../db/queries/shipments/shipments.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { isFinal } from '../../../../domain/statuses.js';
import { trackingUrl } from '../../../../domain/tracking-url.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { labelOfShipment } from '../../../../services/labels/labels.js';
import { tellParcel } from '../../../../services/shipments/parcel-story.js';
import { refreshStatus } from '../../../../services/shipments/refresh-status.js';
import { code, facts, field, moment, row, table } from '../layout.js';
import { actionButton, state } from '../parts.js';
import { type AccountVisit, accountScreen } from '../screen.js';

/** An answer with a shipment. */
export const shipmentAnswer = dataOf(ShipmentSchema);

type Told = NonNullable<Awaited<ReturnType<typeof tellParcel>>>;
type Story = Extract<Told, { kind: 'one' }>['story'];

const show = accountScreen('get', '/shipments/:uuid', 'ship', async (visit) => {
  const { app, words } = visit;
  const shipment = await requireShipment(visit);
  const { config } = app;
  const told = await tellParcel(
    {
      db: app.db,
      temporalUi: { url: config.temporalUiUrl, namespace: config.temporalNamespace },
      trackingPage: (shortCode) => trackingUrl(config.baseUrl, shortCode),
    },
    shipment.uuid,
  );
  if (told?.kind !== 'one') throw notFound('shipment');
  return {
    title: `${words.order} ${shipment.order.number}`,
    main: html`${actions(visit, shipment)}
${head(visit, shipment, told.story)}
${attempts(visit, told.story)}
${events(visit, told.story)}
${mails(visit, told.story)}
${deliveries(visit, told.story)}`,
  };
});

async function requireShipment({ app, account, params }: AccountVisit): Promise<ShipmentRecord> {
  const uuid = params.uuid ?? '';
  const shipment = /^[0-9a-f-]{36}$/.test(uuid)
    ? await findShipment(app.db, { accountId: account.id, uuid })
    : null;
  if (shipment === null) throw notFound('shipment');
  return shipment;
}

function actions({ words }: AccountVisit, { uuid, state, status }: ShipmentRecord): Html | null {
  const { story: texts } = words;
  if (state !== 'created') return null;
  const cancel = html`<details><summary class="button">${texts.cancel}</summary>
<form method="post" action="${uuid}/cancel">
<p>${texts.confirm}</p>
${field('reason', words.reason, { maxlength: 255 })}
<button class="danger">${texts.cancel}</button>
</form></details>`;
  return html`<div class="actions">${actionButton(`${uuid}/label`, texts.print, 'first')}
${isFinal(status.code) ? null : actionButton(`${uuid}/refresh`, texts.refresh)}
${isFinal(status.code) ? null : cancel}</div>`;
}

function head({ words, user }: AccountVisit, shipment: ShipmentRecord, story: Story): Html {
  const { story: texts } = words;
  const { recipient, status } = shipment;
  const run = 'run' in story ? story.run : null;
  const address = [recipient.street, recipient.number, recipient.city].filter(Boolean).join(' ');
  const outside = (url: string) => html`<a href="${url}" rel="noopener noreferrer">${code(url)}</a>`;
  return html`<p>${state(status.code, words.statuses[status.code])} <bdi>${status.description}</bdi></p>
${facts([
  [words.trackingCode, code(shipment.trackingCode)],
  [words.recipient, html`<bdi>${recipient.name}</bdi>, <bdi>${address}</bdi>, ${code(recipient.phone)}`],
  [words.carrier, html`<bdi>${story.carrier}</bdi>`],
  [words.license, html`<bdi>${story.license}</bdi>`],
  [words.created, moment(shipment.createdAt, words)],
  [texts.tracking, story.trackingPage === null ? null : outside(story.trackingPage)],
  [texts.run, run === null || user.accountId !== null ? null : outside(run)],
])}`;
}

function attempts({ words }: AccountVisit, { bookingAttempts }: Story): Html {
  const { story: texts } = words;
  const rows = bookingAttempts.map(({ number, sentAt, outcome, words: said }) =>
    row(number, moment(sentAt, words), code(outcome), html`<bdi>${said ?? ''}</bdi>`),
  );
  return html`<h2>${texts.attempts}</h2>
${table(texts.attempts, ['#', words.time, texts.outcome, texts.words], rows, words)}`;
}

function events({ words }: AccountVisit, { history }: Story): Html {
  const { story: texts } = words;
  const rows = history.map(({ occurredAt, status, description, carrierWords }) =>
    row(moment(occurredAt, words), words.statuses[status], html`<bdi>${carrierWords ?? description}</bdi>`),
  );
  return html`<h2>${texts.events}</h2>
${table(texts.events, [words.time, words.event, texts.words], rows, words)}`;
}

function mails({ words }: AccountVisit, story: Story): Html {
  const { story: texts } = words;
  const rows = story.mails.map(({ createdAt, event, state, sentAt, lastError }) =>
    row(
      moment(sentAt ?? createdAt, words),
      code(event),
      code(state),
      html`<bdi dir="auto">${lastError ?? ''}</bdi>`,
    ),
  );
  return html`<h2>${texts.mails}</h2>
${table(texts.mails, [words.time, words.event, words.state, words.lastAnswer], rows, words)}`;
}

function deliveries({ words }: AccountVisit, { webhooks }: Story): Html {
  const { story: texts } = words;
  const rows = webhooks.map(({ createdAt, event, host, state, lastAnswer }) =>
    row(
      moment(createdAt, words),
      code(event),
      code(host),
      code(state),
      html`<bdi dir="auto">${lastAnswer ?? ''}</bdi>`,
    ),
  );
  return html`<h2>${texts.webhooks}</h2>
${table(texts.webhooks, [words.time, words.event, texts.host, words.state, words.lastAnswer], rows, words)}`;
}

const pathOf = ({ account }: AccountVisit, uuid: string) => `/panel/a/${account.id}/shipments/${uuid}`;

const label = accountScreen('post', '/shipments/:uuid/label', 'ship', async (visit) => {
  const { uuid } = await requireShipment(visit);
  const { app, account, whileWaiting } = visit;
  const { url } = await whileWaiting(() => labelOfShipment(app, { accountId: account.id, uuid }));
  return { to: new URL(url).pathname };
});

const refresh = accountScreen('post', '/shipments/:uuid/refresh', 'ship', async (visit) => {
  const { uuid } = await requireShipment(visit);
  const { app, account, whileWaiting } = visit;
  const timeoutMs = LIMITS.carriers.refreshMs;
  await whileWaiting(() => refreshStatus(app, { accountId: account.id, uuid, timeoutMs }));
  return { to: pathOf(visit, uuid), notice: 'asked' };
});

const cancel = accountScreen('post', '/shipments/:uuid/cancel', 'ship', async (visit) => {
  const { uuid } = await requireShipment(visit);
  const reason = visit.form.get('reason')?.trim() ?? '';
  const body = reason === '' ? {} : { reason };
  await visit.v2('cancelShipment', { params: { uuid }, body }, shipmentAnswer);
  return { to: pathOf(visit, uuid), notice: 'cancelled' };
});

export const storyScreens = [show, label, refresh, cancel];
