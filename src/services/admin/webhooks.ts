import { Type } from 'typebox';
import { type DeliveryRecord, listDeliveries } from '../../db/queries/webhooks/deliveries.js';
import { type Endpoint, findEndpoint, listEndpoints } from '../../db/queries/webhooks/endpoints.js';
import type { WebhookKey } from '../../db/queries/webhooks/webhooks.js';
import { isWebPage } from '../../domain/web-page.js';
import { hostOf } from '../../domain/webhook-host.js';
import { isUuid } from '../../lib/ids.js';
import type { App } from '../app.js';
import type { SendingApp } from '../webhooks/webhook-attempts.js';
import { changeWebhook, pingWebhook, replayDeliveries, resendDelivery } from '../webhooks/webhooks.js';
import { type ActingApp, auditedAct } from './audited.js';
import { type Given, Id, momentOf, refuse, requestCheck } from './check.js';
import { requireLicense } from './licenses.js';

const checkWhich = requestCheck({
  account: Type.Optional(Id),
  license: Type.Optional(Type.String()),
  failing: Type.Optional(Type.Boolean()),
});
/** Deliveries that are shown of an endpoint. */
const SHOWN = 20;

type WebhookAdminApp = ActingApp & SendingApp & Pick<App, 'wake'>;

/** An endpoint without its path, which may be a secret of the merchant's. */
type ShownEndpoint = Omit<Endpoint, 'url'> & { host: string };

/** Merchants' endpoints, newest first; 1000 at most. @throws AppError `validation_failed` */
export async function webhookList(
  app: Pick<App, 'db'>,
  request: Given<typeof checkWhich>,
): Promise<ShownEndpoint[]> {
  const { account: accountId, license, failing } = checkWhich(request);
  const licenseId = license === undefined ? undefined : (await requireLicense(app, license)).id;
  return (await listEndpoints(app.db, { accountId, licenseId, failing: failing === true })).map(shown);
}

/** One endpoint with its newest deliveries. @throws AppError `validation_failed` for an unknown one */
export async function showWebhook(
  app: Pick<App, 'db'>,
  request: { webhook: string; status?: string | undefined },
) {
  const found = await requireEndpoint(app, request.webhook);
  const { accountId, id: subscriptionId } = found;
  const page = { accountId, subscriptionId, status: request.status, limit: SHOWN };
  const deliveries = (await listDeliveries(app.db, page)).slice(0, SHOWN);
  return { ...shown(found), deliveries: deliveries.map(toShown) };
}

/** Sends a test event and returns the answer. @throws AppError `validation_failed` */
export async function pingEndpoint(app: WebhookAdminApp, request: { webhook: string }) {
  const { key, about } = await requireKey(app, request.webhook);
  const ping = () => pingWebhook(app, key);
  return toShown(await auditedAct(app, 'webhooks.ping', about, ping, ({ status }) => status));
}

/** Sends one delivery again. @throws AppError `validation_failed`, `not_found` */
export async function retryDelivery(app: WebhookAdminApp, request: { webhook: string; delivery: string }) {
  const { key, about } = await requireKey(app, request.webhook);
  const { delivery } = request;
  const resend = () => resendDelivery(app, key, delivery);
  return toShown(await auditedAct(app, 'webhooks.redeliver', { ...about, asked: { delivery } }, resend));
}

/** Sends again what failed since a moment; returns how many. @throws AppError `validation_failed` */
export async function replayEndpoint(
  app: WebhookAdminApp,
  request: { webhook: string; since: string },
): Promise<{ id: string; deliveries: number }> {
  const since = momentOf('since', request.since, 'start') ?? refuse('since', 'required');
  const { key, about } = await requireKey(app, request.webhook);
  const replay = () => replayDeliveries(app, key, since);
  const outcomeOf = (count: number) => `${count} deliveries`;
  const count = await auditedAct(app, 'webhooks.replay', { ...about, asked: { since } }, replay, outcomeOf);
  return { id: key.id, deliveries: count };
}

/** Turns an endpoint on or off. @throws AppError `validation_failed` */
export async function switchEndpoint(
  app: WebhookAdminApp,
  request: { webhook: string; isActive: boolean },
): Promise<ShownEndpoint> {
  const { key, about } = await requireKey(app, request.webhook);
  const { isActive } = request;
  const change = () => changeWebhook(app, key, { isActive });
  await auditedAct(app, 'webhooks.change', { ...about, asked: { isActive } }, change);
  return shown(await requireEndpoint(app, key.id));
}

async function requireEndpoint({ db }: Pick<App, 'db'>, id: string) {
  const found = isUuid(id) ? await findEndpoint(db, id) : null;
  return found ?? refuse('webhook', 'no_such', { be: 'be the id of a webhook', given: id });
}

/** A webhook of API v2; a store's plugin is changed with its site. */
async function requireKey(app: Pick<App, 'db'>, webhook: string) {
  const { id, accountId, licenseId, storeSiteId } = await requireEndpoint(app, webhook);
  if (licenseId === null || storeSiteId !== null) {
    refuse('webhook', 'webhook_of_site', { site: String(storeSiteId) });
  }
  const key: WebhookKey = { id, accountId, licenseId };
  return { key, about: { target: { kind: 'webhook', id }, accountId } };
}

function shown<E extends { url: string }>({ url, ...endpoint }: E): Omit<E, 'url'> & { host: string } {
  return { ...endpoint, host: hostOf(url) };
}

const PAGE_ANSWERED =
  'with a web page: it seems that nothing there read the event (WordPress with plain permalinks: use /?rest_route=/…)';

/** A delivery, with the answer to its last attempt. */
function toShown({ uuid, event, status, attempts, createdAt, nextAttemptAt }: DeliveryRecord) {
  const last = attempts.at(-1);
  const page = isWebPage(last?.responseBody ?? null) ? `, ${PAGE_ANSWERED}` : '';
  const answer = (last?.error ?? (last?.responseStatus == null ? '' : `HTTP ${last.responseStatus}`)) + page;
  return { uuid, event, status, attempts: attempts.length, createdAt, nextAttemptAt, answer };
}
