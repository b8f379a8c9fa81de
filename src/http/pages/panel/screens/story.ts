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
import { code, facts, field, moment, table } from '../layout.js';
import { actionButton, confirmed, state } from '../parts.js';
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
${done(visit, told.story)}`,
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
  const question = { button: texts.cancel, question: texts.confirm };
  const cancel = confirmed(`${uuid}/cancel`, question, field('reason', words.reason, { maxlength: 255 }));
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
  const name = words.statuses[status.code];
  const carrierWords = status.description === name ? '' : html` <bdi>${status.description}</bdi>`;
  return html`<p>${state(status.code, name)}${carrierWords}</p>
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

/** What was done for the parcel, a table for each kind. */
function done({ words }: AccountVisit, { bookingAttempts, history, mails, webhooks }: Story): Html {
  const { story: texts } = words;
  const attempts = table(words, texts.attempts, bookingAttempts, [
    ['#', ({ number }) => number],
    [words.time, ({ sentAt }) => moment(sentAt, words)],
    [texts.outcome, ({ outcome }) => code(outcome)],
    [texts.words, (one) => html`<bdi>${one.words ?? ''}</bdi>`],
  ]);
  const events = table(words, texts.events, history, [
    [words.time, ({ occurredAt }) => moment(occurredAt, words)],
    [words.event, ({ status }) => words.statuses[status]],
    [texts.words, ({ carrierWords, description }) => html`<bdi>${carrierWords ?? description}</bdi>`],
  ]);
  const sentMails = table(words, texts.mails, mails, [
    [words.time, ({ sentAt, createdAt }) => moment(sentAt ?? createdAt, words)],
    [words.event, ({ event }) => code(event)],
    [words.state, (one) => code(one.state)],
    [words.lastAnswer, ({ lastError }) => html`<bdi dir="auto">${lastError ?? ''}</bdi>`],
  ]);
  const deliveries = table(words, texts.webhooks, webhooks, [
    [words.time, ({ createdAt }) => moment(createdAt, words)],
    [words.event, ({ event }) => code(event)],
    [texts.host, ({ host }) => code(host)],
    [words.state, (one) => code(one.state)],
    [words.lastAnswer, ({ lastAnswer }) => html`<bdi dir="auto">${lastAnswer ?? ''}</bdi>`],
  ]);
  return html`<h2>${texts.attempts}</h2>
${attempts}
<h2>${texts.events}</h2>
${events}
<h2>${texts.mails}</h2>
${sentMails}
<h2>${texts.webhooks}</h2>
${deliveries}`;
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
