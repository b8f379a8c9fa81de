import { type Static, Type } from 'typebox';
import { dataOf } from '../../../../api/v2/schemas.js';
import { ReplaySchema, type Webhook, WebhookSchema } from '../../../../api/v2/webhooks/schema.js';
import { type Html, html } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { compileOnUse } from '../../../../lib/schema.js';
import { field } from '../layout.js';
import { inLicense, type LicenseVisit, licenseScreen } from '../license-screen.js';
import { actionButton, alert, checkbox, confirmed, type Refusal, refusalOf } from '../parts.js';
import type { Answer, ScreenPage } from '../screen.js';
import { checkDelivery, deliveryList } from './deliveries.js';
import { activity, checkSecret, secretPage, subscriptionFields } from './webhooks.js';

const oneAnswer = dataOf(WebhookSchema);
const replayAnswer = dataOf(ReplaySchema);
const checkOne = compileOnUse<Static<typeof oneAnswer>>(oneAnswer);
const checkReplay = compileOnUse<Static<typeof replayAnswer>>(replayAnswer);
const checkNothing = compileOnUse<null>(Type.Null());

/** What names the subscription of the path in requests with a body. */
function named({ params, license }: LicenseVisit) {
  return { params: { id: params.webhook ?? '' }, body: { license_key: license.key } };
}

async function readWebhook(visit: LicenseVisit): Promise<Webhook> {
  const { params, body } = named(visit);
  return (await visit.v2('getWebhook', { params, query: body }, checkOne)).data;
}

const show = licenseScreen('get', '/webhooks/:webhook', 'manage', async (visit) => {
  const webhook = await readWebhook(visit);
  return await onePage(visit, webhook, formOf(webhook), null);
});

function formOf({ url, events, is_active }: Webhook): URLSearchParams {
  const form = new URLSearchParams({ url });
  for (const event of events) form.append('events', event);
  if (is_active) form.set('is_active', 'on');
  return form;
}

async function onePage(
  visit: LicenseVisit,
  webhook: Webhook,
  form: URLSearchParams,
  refusal: Refusal | null,
): Promise<ScreenPage> {
  const { words } = visit;
  const { webhooks: texts } = words;
  const here = `/webhooks/${webhook.id}`;
  const deliveries = await deliveryList(visit, webhook.id, refusal);
  return {
    title: texts.one,
    status: refusal === null ? 200 : 422,
    main: html`<p>${activity(webhook.is_active, words)} <bdi dir="ltr" class="address">${webhook.url}</bdi> · <bdi>${visit.license.name}</bdi></p>
<div class="actions">${actionButton(inLicense(visit, `${here}/ping`), texts.ping)}
${confirmed(inLicense(visit, `${here}/delete`), { button: words.remove, question: texts.removeQuestion })}</div>
${alert(refusal)}
<details${refusal === null || refusal.fields.since !== undefined ? null : html` open`}><summary>${words.change}</summary>
<form method="post" action="${inLicense(visit, here)}" class="sheet">
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
  return html`<form method="post" action="${inLicense(visit, `${here}/rotate`)}" class="sheet">
<h2>${texts.rotate}</h2>
${field('overlap_hours', texts.overlap, {
  type: 'number',
  value: visit.form.get('overlap_hours') ?? String(LIMITS.webhooks.overlapHours),
  hint: texts.overlapHint,
  error: refusal?.fields.overlap_hours?.[0],
  min: 0,
  max: 168,
})}
<button>${texts.rotate}</button>
</form>`;
}

/** Does something with the subscription of the path; a refusal comes back in its page. */
async function attempt(visit: LicenseVisit, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const refusal = refusalOf(error);
    const webhook = await readWebhook(visit);
    const form = visit.form.has('url') ? visit.form : formOf(webhook);
    return await onePage(visit, webhook, form, refusal);
  }
}

const change = licenseScreen('post', '/webhooks/:webhook', 'manage', async (visit) =>
  attempt(visit, async () => {
    const { form, v2 } = visit;
    const { params, body } = named(visit);
    const changes = {
      url: form.get('url')?.trim() ?? '',
      events: form.getAll('events'),
      is_active: form.get('is_active') !== null,
    };
    await v2('updateWebhook', { params, body: { ...body, ...changes } }, checkOne);
    return { to: inLicense(visit, `/webhooks/${params.id}`), notice: 'saved' };
  }),
);

const rotate = licenseScreen('post', '/webhooks/:webhook/rotate', 'manage', async (visit) =>
  attempt(visit, async () => {
    const { params, body } = named(visit);
    const hours = visit.form.get('overlap_hours')?.trim() ?? '';
    const overlap = hours === '' ? {} : { overlap_hours: Number(hours) };
    const input = { params, body: { ...body, ...overlap } };
    return secretPage(visit, (await visit.v2('rotateWebhookSecret', input, checkSecret)).data);
  }),
);

const remove = licenseScreen('post', '/webhooks/:webhook/delete', 'manage', async (visit) => {
  const { params, body } = named(visit);
  await visit.v2('deleteWebhook', { params, query: body }, checkNothing);
  return { to: inLicense(visit, '/webhooks'), notice: 'deleted' };
});

const ping = licenseScreen('post', '/webhooks/:webhook/ping', 'manage', async (visit) =>
  attempt(visit, async () => {
    const input = named(visit);
    const { data } = await visit.v2('pingWebhook', input, checkDelivery);
    return { to: inLicense(visit, `/webhooks/${input.params.id}/deliveries/${data.id}`) };
  }),
);

const replay = licenseScreen('post', '/webhooks/:webhook/replay', 'manage', async (visit) =>
  attempt(visit, async () => {
    const { params, body } = named(visit);
    const input = { params, body: { ...body, since: visit.form.get('since') ?? '' } };
    const { data } = await visit.v2('replayWebhook', input, checkReplay);
    const notice = data.count === 0 ? 'nothingFailed' : 'resent';
    return { to: inLicense(visit, `/webhooks/${params.id}`), notice };
  }),
);

export const webhookScreens = [show, change, rotate, remove, ping, replay];
