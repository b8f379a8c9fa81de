import { shipmentRoutes } from '../../../../api/v2/shipments/routes.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import type { ShipmentRecord } from '../../../../domain/shipment.js';
import { isFinal, SETTABLE_STATUSES, statusName } from '../../../../domain/statuses.js';
import { trackingUrl } from '../../../../domain/tracking-url.js';
import { isUuid } from '../../../../lib/ids.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { labelOfShipment } from '../../../../services/labels/labels.js';
import { findShipment } from '../../../../services/shipments/find-shipment.js';
import { tellParcel } from '../../../../services/shipments/parcel-story.js';
import { refreshStatus } from '../../../../services/shipments/refresh-status.js';
import { momentInIsrael } from '../../../../services/shipments/set-status.js';
import { filledFields } from '../form.js';
import { code, facts, field, moment, select, table } from '../layout.js';
import { actionButton, alert, confirmed, state } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, type ScreenPage } from '../screen.js';
import { type Refusal, toldText } from '../told.js';
import type { Words } from '../words/en.js';
import { wholeParcel } from './whole-parcel.js';

type Told = NonNullable<Awaited<ReturnType<typeof tellParcel>>>;
type Story = Extract<Told, { kind: 'one' }>['story'];

const show = accountScreen('get', '/shipments/:uuid', 'ship', (visit) => storyPage(visit));

/** The page of the shipment that the path names. */
export async function storyPage(visit: AccountVisit): Promise<ScreenPage> {
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
${await wholeParcel(visit, shipment)}
${done(visit, told.story)}`,
  };
}

/** The shipment that the path names. @throws AppError `not_found` */
export async function requireShipment({ app, account, params }: AccountVisit): Promise<ShipmentRecord> {
  const uuid = params.uuid ?? '';
  const shipment = isUuid(uuid) ? await findShipment(app, { accountId: account.id, uuid }) : null;
  if (shipment === null) throw notFound('shipment');
  return shipment;
}

function actions({ app, words }: AccountVisit, shipment: ShipmentRecord): Html | null {
  const { uuid, state, status, serviceType, carrier } = shipment;
  const adapter = app.carriers(carrier.provider);
  const isOpen = !isFinal(status.code);
  const isReported = adapter.status !== undefined || adapter.webhook !== undefined;
  const { story: texts } = words;
  if (state !== 'created') return null;
  const question = { button: texts.cancel, question: texts.confirm };
  const cancel = confirmed(`${uuid}/cancel`, question, field('reason', words.reason, { maxlength: 255 }));
  return html`<div class="actions">${actionButton(`${uuid}/label`, texts.print, 'first')}
${serviceType === 1 ? html`<a class="button second" href="${uuid}/slip" target="_blank">${words.slips.slip}</a>` : null}
${isOpen && adapter.status !== undefined ? actionButton(`${uuid}/refresh`, texts.refresh) : null}
${isOpen && !isReported ? statusForm(words, uuid) : null}
${status.code === 'delivered' && serviceType === 1 ? html`<a class="button second" href="new?back=${uuid}">${words.parcel.sendBack}</a>` : null}
${isOpen ? cancel : null}</div>`;
}

/** Reports where a parcel of the shop's own couriers is. */
function statusForm(words: Words, uuid: string): Html {
  const { parcel: texts } = words;
  const statuses = SETTABLE_STATUSES.map((one) => [one, words.statuses[one]] as const);
  return html`<details><summary class="button">${texts.setStatus}</summary>
<form method="post" action="${uuid}/status">
${select('code', words.shipments.status, statuses)}
${field('at', texts.happened, { type: 'datetime-local', hint: texts.happenedHint })}
${field('description', texts.statusNote, { maxlength: 255 })}
<button>${texts.setStatus}</button></form></details>`;
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

/** The work done for the parcel, a table for each kind. */
function done({ words }: AccountVisit, { bookingAttempts, history, mails, webhooks }: Story): Html {
  const { story: texts } = words;
  const attempts = table(words, texts.attempts, bookingAttempts, [
    ['#', ({ number }) => number],
    [words.time, ({ sentAt }) => moment(sentAt, words)],
    [texts.outcome, ({ outcome }) => code(outcome)],
    [texts.words, (one) => html`<bdi dir="auto">${toldText(words, one.words ?? '')}</bdi>`],
  ]);
  const events = table(words, texts.events, history, [
    [words.time, ({ occurredAt }) => moment(occurredAt, words)],
    [words.event, ({ status }) => words.statuses[status]],
    [
      texts.words,
      (one) => {
        // The name of the status stands beside it.
        const said = one.carrierWords ?? one.description;
        return said === statusName(one.status) ? null : html`<bdi>${said}</bdi>`;
      },
    ],
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
  const { path } = await whileWaiting(() => labelOfShipment(app, { accountId: account.id, uuid }));
  return { to: path };
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
  await visit.call(shipmentRoutes.cancel, { params: { uuid }, body });
  return { to: pathOf(visit, uuid), notice: 'cancelled' };
});

const setStatus = accountForm('/shipments/:uuid/status', 'ship', refusedStatus, async (visit) => {
  const { uuid } = await requireShipment(visit);
  const { code, description, at } = filledFields(visit.form, ['code', 'description', 'at']);
  const body = { code, description, occurred_at: at === undefined ? at : momentInIsrael(at) };
  await visit.call(shipmentRoutes.setStatus, { params: { uuid }, body });
  return { to: pathOf(visit, uuid), notice: 'saved' };
});

async function refusedStatus(visit: AccountVisit, refusal: Refusal): Promise<ScreenPage> {
  const page = await storyPage(visit);
  return {
    ...page,
    main: html`${alert(refusal)}
${page.main}`,
  };
}

export const storyScreens = [show, label, refresh, cancel, setStatus];
