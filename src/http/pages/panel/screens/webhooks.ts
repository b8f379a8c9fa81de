import type { Static } from 'typebox';
import { dataOf, listOf } from '../../../../api/v2/schemas.js';
import { WebhookSchema, WebhookWithSecretSchema } from '../../../../api/v2/webhooks/schema.js';
import { WEBHOOK_EVENTS } from '../../../../domain/events.js';
import { type Html, html } from '../../../../domain/html.js';
import { compileOnUse } from '../../../../lib/schema.js';
import { filledFields } from '../form.js';
import { code, field, moment, row, select, table } from '../layout.js';
import { inLicense, type LicenseVisit, licenseScreen } from '../license-screen.js';
import { alert, checks, type Refusal, refusalOf, shownOnce, state } from '../parts.js';
import type { ScreenPage } from '../screen.js';
import type { Words } from '../words/en.js';

const listAnswer = listOf(WebhookSchema, '');
const secretAnswer = dataOf(WebhookWithSecretSchema);
const checkList = compileOnUse<Static<typeof listAnswer>>(listAnswer);
/** Of an answer with a new secret. */
export const checkSecret = compileOnUse<Static<typeof secretAnswer>>(secretAnswer);

const list = licenseScreen('get', '/webhooks', 'manage', async (visit) => {
  const { licenses, words, v2 } = visit;
  const { webhooks: texts } = words;
  const rows: Html[] = [];
  for (const license of licenses) {
    const { data } = await v2('listWebhooks', { query: { license_key: license.key } }, checkList);
    for (const { id, url, events, is_active, created_at } of data) {
      rows.push(
        row(
          html`<a href="${inLicense({ ...visit, license }, `/webhooks/${id}`)}"><bdi dir="ltr" class="address">${url}</bdi></a>`,
          html`<bdi>${license.name}</bdi>`,
          activity(is_active, words),
          events.map((event) => html`<div>${texts.events[event]}</div>`),
          moment(created_at, words),
        ),
      );
    }
  }
  const heads = [texts.url, words.license, words.state, texts.eventsTitle, words.since];
  return {
    title: texts.title,
    main: html`<p class="actions"><a class="button" href="${inLicense(visit, '/webhooks/new')}">${texts.new}</a></p>
${table(texts.title, heads, rows, words)}`,
  };
});

/** Whether a subscription is on. */
export function activity(isActive: boolean, words: Words): Html {
  return isActive ? state('succeeded', words.on) : state('failed', words.off);
}

const blank = licenseScreen('get', '/webhooks/new', 'manage', async (visit) =>
  newPage(visit, new URLSearchParams({ license_key: visit.license.key }), null),
);

function newPage(visit: LicenseVisit, form: URLSearchParams, refusal: Refusal | null): ScreenPage {
  const { words, licenses } = visit;
  const { webhooks: texts } = words;
  const options = licenses.map(({ key, name }) => [key, name] as const);
  return {
    title: texts.new,
    status: refusal === null ? 200 : 422,
    main: html`<form method="post" action="${inLicense(visit, '/webhooks/new')}" class="sheet">
${alert(refusal)}
${select('license_key', words.license, options, form.get('license_key') ?? '')}
${subscriptionFields(words, form, refusal)}
<button>${texts.create}</button>
</form>`,
  };
}

/** What a subscription is made of: the URL and the events. */
export function subscriptionFields(words: Words, form: URLSearchParams, refusal: Refusal | null): Html {
  const { webhooks: texts } = words;
  const events = WEBHOOK_EVENTS.map((event) => [event, texts.events[event]] as const);
  const eventsError = Object.entries(refusal?.fields ?? {}).find(([name]) => /^events\b/.test(name));
  return html`${field('url', texts.url, {
    type: 'url',
    value: form.get('url') ?? '',
    hint: texts.urlHint,
    error: refusal?.fields.url?.[0],
    ltr: true,
    required: true,
    maxlength: 2048,
  })}
${checks('events', texts.eventsTitle, events, { chosen: form.getAll('events'), error: eventsError?.[1][0] })}`;
}

const create = licenseScreen('post', '/webhooks/new', 'manage', async (visit) => {
  const { form, v2, licenses } = visit;
  const { license_key = visit.license.key, url } = filledFields(form, ['license_key', 'url']);
  try {
    const body = { license_key, url, events: form.getAll('events') };
    const { data } = await v2('createWebhook', { body }, checkSecret);
    const license = licenses.find(({ key }) => key === license_key) ?? visit.license;
    return secretPage({ ...visit, license }, data);
  } catch (error) {
    return newPage(visit, form, refusalOf(error));
  }
});

/** The only page that shows the secret: it is answered to the request that made it. */
export function secretPage(
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

export const webhookListScreens = [list, blank, create];
