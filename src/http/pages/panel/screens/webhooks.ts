import { webhookDeliveryRoutes } from '../../../../api/v2/webhooks/delivery-routes.js';
import { webhookRoutes } from '../../../../api/v2/webhooks/routes.js';
import type { Webhook } from '../../../../api/v2/webhooks/schema.js';
import type { LicenseSummary } from '../../../../db/queries/accounts/accounts.js';
import { WEBHOOK_EVENTS } from '../../../../domain/events.js';
import { type Html, html } from '../../../../domain/html.js';
import { israelDayStart } from '../../../../lib/israel-time.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { changedIn, edited, onlyChanged, type Present } from '../edited.js';
import { filledFields } from '../form.js';
import { code, moment, table } from '../layout.js';
import {
  inLicense,
  type LicenseVisit,
  licenseForm,
  licenseScreen,
  licenseSelect,
  usableLicense,
} from '../license-screen.js';
import { actionButton, alert, checkbox, checks, confirmed, fieldsOf, shownOnce, state } from '../parts.js';
import type { ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';
import { deliveryList } from './deliveries.js';

const list = licenseScreen('get', '/webhooks', 'manage', async (visit) => {
  const { licenses, words } = visit;
  const { webhooks: texts } = words;
  const found: { license: LicenseSummary; webhook: Webhook }[] = [];
  for (const license of licenses) {
    const { data } = await visit.call(webhookRoutes.list, { license: license.key });
    found.push(...data.map((webhook) => ({ license, webhook })));
  }
  const list = table(words, texts.title, found, [
    // First, where a phone shows it without scrolling.
    [words.state, ({ webhook }) => activity(webhook.is_active, words)],
    [
      texts.url,
      ({ license, webhook: { id, url } }) =>
        html`<a href="${inLicense({ ...visit, license }, `/webhooks/${id}`)}"><bdi dir="ltr" class="address">${url}</bdi></a>`,
    ],
    [words.license, ({ license }) => html`<bdi>${license.name}</bdi>`],
    [
      texts.eventsTitle,
      ({ webhook }) => webhook.events.map((event) => html`<div>${texts.events[event]}</div>`),
    ],
    [words.since, ({ webhook }) => moment(webhook.created_at, words)],
  ]);
  return {
    title: texts.title,
    main: html`<p class="actions"><a class="button" href="${inLicense(visit, '/webhooks/new')}">${texts.new}</a></p>
${list}`,
  };
});

/** Whether a subscription is on. */
function activity(isActive: boolean, words: Words): Html {
  return isActive ? state('succeeded', words.on) : state('failed', words.off);
}

const blank = licenseScreen('get', '/webhooks/new', 'manage', (visit) => newPage(visit));

function newPage(visit: LicenseVisit, refusal: Refusal | null = null): ScreenPage {
  const { words, licenses, license, form } = visit;
  const { webhooks: texts } = words;
  return {
    title: texts.new,
    main: html`<form method="post" action="${inLicense(visit, '/webhooks/new')}" class="sheet">
${alert(refusal)}
${licenseSelect(words, licenses, form.get('license') ?? license.id)}
${subscriptionFields(words, form, refusal)}
<button>${texts.create}</button>
</form>`,
  };
}

/** Fields of a subscription: the URL and the events. */
function subscriptionFields(words: Words, form: URLSearchParams, refusal: Refusal | null): Html {
  const { webhooks: texts } = words;
  const events = WEBHOOK_EVENTS.map((event) => [event, texts.events[event]] as const);
  const eventsError = Object.entries(refusal?.fields ?? {}).find(([name]) => /^events\b/.test(name));
  const input = fieldsOf(form, refusal);
  return html`${input('url', texts.url, { type: 'url', hint: texts.urlHint, ltr: true, required: true, maxlength: 2048 })}
${checks('events', texts.eventsTitle, events, { chosen: form.getAll('events'), error: eventsError?.[1][0] })}`;
}

const create = licenseForm('/webhooks/new', 'manage', newPage, async (visit) => {
  const { form } = visit;
  const license = form.has('license') ? await usableLicense(visit) : visit.license;
  const body = { ...filledFields(form, ['url']), events: form.getAll('events') };
  const { data } = await visit.call(webhookRoutes.create, { license: license.key, body });
  return secretPage({ ...visit, license }, data);
});

/** The only page that shows the secret: it is answered to the request that made it. */
function secretPage(
  visit: LicenseVisit,
  { id, url, secret }: { id: string; url: string; secret: string },
): ScreenPage {
  const { webhooks: texts } = visit.words;
  return {
    title: texts.secretTitle,
    main: html`<p>${code(url)}</p>
${shownOnce(texts.secretIntro, [[null, secret]])}
<p><a class="button" href="${inLicense(visit, `/webhooks/${id}`)}">${texts.goOn}</a></p>`,
  };
}

/** Names the subscription of the path. */
function named({ params }: LicenseVisit) {
  return { params: { id: params.webhook ?? '' } };
}

async function readWebhook(visit: LicenseVisit): Promise<Webhook> {
  return (await visit.call(webhookRoutes.show, named(visit))).data;
}

const show = licenseScreen('get', '/webhooks/:webhook', 'manage', (visit) => onePage(visit));

function presentOf({ url, events, is_active }: Webhook): Present {
  const now = new URLSearchParams({ url });
  for (const event of events) now.append('events', event);
  if (is_active) now.set('is_active', 'on');
  return { names: ['url', 'events', 'is_active'], now };
}

async function onePage(visit: LicenseVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { words } = visit;
  const webhook = await readWebhook(visit);
  const { form, was } = edited(visit.form, presentOf(webhook));
  const { webhooks: texts } = words;
  const here = `/webhooks/${webhook.id}`;
  const deliveries = await deliveryList(visit, webhook.id, refusal);
  return {
    title: texts.one,
    main: html`<p>${activity(webhook.is_active, words)} <bdi dir="ltr" class="address">${webhook.url}</bdi> · <bdi>${visit.license.name}</bdi></p>
<div class="actions">${actionButton(inLicense(visit, `${here}/ping`), texts.ping)}
${confirmed(inLicense(visit, `${here}/delete`), { button: words.remove, question: texts.removeQuestion })}</div>
${alert(refusal)}
<details${refusal === null || refusal.fields.since !== undefined ? null : html` open`}><summary>${words.change}</summary>
<form method="post" action="${inLicense(visit, here)}" class="sheet">${was}
${subscriptionFields(words, form, refusal)}
${checkbox('is_active', texts.isActive, { value: 'on', isChecked: form.get('is_active') !== null })}
<p class="hint">${texts.offHint}</p>
<button>${words.save}</button>
</form>
${rotation(visit, here, refusal)}</details>
${deliveries}`,
  };
}

function rotation(visit: LicenseVisit, here: string, refusal: Refusal | null): Html {
  const { webhooks: texts } = visit.words;
  const value = visit.form.get('overlap_hours') ?? String(LIMITS.webhooks.overlapHours);
  const input = fieldsOf(visit.form, refusal);
  return html`<form method="post" action="${inLicense(visit, `${here}/rotate`)}" class="sheet">
<h2>${texts.rotate}</h2>
${input('overlap_hours', texts.overlap, { type: 'number', value, hint: texts.overlapHint, min: 0, max: 168 })}
<button>${texts.rotate}</button>
</form>`;
}

const change = licenseForm('/webhooks/:webhook', 'manage', onePage, async (visit) => {
  const { form, words } = visit;
  const { params } = named(visit);
  const changed = changedIn(form, presentOf(await readWebhook(visit)), words);
  const body = onlyChanged(changed, {
    url: form.get('url')?.trim() ?? '',
    events: form.getAll('events'),
    is_active: form.get('is_active') !== null,
  });
  await visit.call(webhookRoutes.update, { params, body });
  return { to: inLicense(visit, `/webhooks/${params.id}`), notice: 'saved' };
});

const rotate = licenseForm('/webhooks/:webhook/rotate', 'manage', onePage, async (visit) => {
  const hours = visit.form.get('overlap_hours')?.trim() ?? '';
  const body = hours === '' ? {} : { overlap_hours: Number(hours) };
  const { data } = await visit.call(webhookRoutes.rotate, { ...named(visit), body });
  return secretPage(visit, data);
});

const remove = licenseScreen('post', '/webhooks/:webhook/delete', 'manage', async (visit) => {
  await visit.call(webhookRoutes.remove, named(visit));
  return { to: inLicense(visit, '/webhooks'), notice: 'deleted' };
});

const ping = licenseForm('/webhooks/:webhook/ping', 'manage', onePage, async (visit) => {
  const { data } = await visit.call(webhookDeliveryRoutes.ping, named(visit));
  return { to: inLicense(visit, `/webhooks/${data.webhook_id}/deliveries/${data.id}`) };
});

const replay = licenseForm('/webhooks/:webhook/replay', 'manage', onePage, async (visit) => {
  const { params } = named(visit);
  const since = visit.form.get('since') ?? '';
  const body = { since: israelDayStart(since) ?? since };
  const { data } = await visit.call(webhookDeliveryRoutes.replay, { params, body });
  const notice = data.count === 0 ? 'nothingFailed' : 'resent';
  return { to: inLicense(visit, `/webhooks/${params.id}`), notice };
});

export const webhookScreens = [list, blank, create, show, change, rotate, remove, ping, replay];
