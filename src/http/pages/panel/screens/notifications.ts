import type { Template } from '../../../../api/v2/notifications/schema.js';
import { changeSettings, settingsRoutes } from '../../../../api/v2/notifications/settings-routes.js';
import { templateRoutes } from '../../../../api/v2/notifications/template-routes.js';
import { NOTIFICATION_STATUSES } from '../../../../db/queries/mails/notification-logs.js';
import { findDroppedMails } from '../../../../db/queries/mails/notification-settings.js';
import { SHIPMENT_EVENTS } from '../../../../domain/events.js';
import { type Html, html } from '../../../../domain/html.js';
import { fill } from '../../../../domain/problems/problem.js';
import { isLanguage } from '../../../../domain/recipient-words/language.js';
import { changedIn, edited, onlyChanged, type Present } from '../edited.js';
import { code, day, moment, select, table } from '../layout.js';
import {
  inLicense,
  type LicenseVisit,
  licenseChoice,
  licenseForm,
  licenseScreen,
} from '../license-screen.js';
import { alert, checkbox, checks, cursorPage, cursorPages, fieldsOf, state } from '../parts.js';
import type { ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import { WORDS } from '../words/words.js';

const show = licenseScreen('get', '/notifications', 'manage', async (visit) => {
  return await page(visit);
});

async function presentSettings(visit: LicenseVisit): Promise<Present> {
  const { data } = await visit.call(settingsRoutes.show, {});
  const now = new URLSearchParams({ from_name: data.from_name ?? '', reply_to: data.reply_to ?? '' });
  for (const event of data.events) now.append('events', event);
  if (data.enabled) now.set('enabled', 'on');
  return { names: ['enabled', 'events', 'from_name', 'reply_to'], now };
}

async function page(visit: LicenseVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { words } = visit;
  const { notifications: texts } = words;
  return {
    title: texts.title,
    main: html`${licenseChoice(visit)}
<p class="actions"><a class="button" href="${inLicense(visit, '/notifications/log')}">${texts.log}</a></p>
${await dropped(visit)}
<h2>${words.settings.title}</h2>
${await settings(visit, refusal)}
<h2>${texts.templates}</h2>
${await templates(visit)}`,
  };
}

/** Says that mails were not sent because they were too many: the customers wait for them, and no error told of it. */
async function dropped({ app, account, license, words }: LicenseVisit): Promise<Html | null> {
  const found = await findDroppedMails(app.db, { accountId: account.id, licenseId: license.id });
  if (found === null) return null;
  const { count, day: droppedOn } = found;
  const values = { count, day: day(`${droppedOn}T12:00:00Z`, words), limit: app.config.mailsPerDay };
  return html`<p class="warning">${fill(words.notifications.dropped, values)}</p>`;
}

async function settings(visit: LicenseVisit, refusal: Refusal | null): Promise<Html> {
  const { words } = visit;
  const { form, was } = edited(visit.form, await presentSettings(visit));
  const { notifications: texts } = words;
  const events = SHIPMENT_EVENTS.map((event) => [event, words.webhooks.events[event]] as const);
  const input = fieldsOf(form, refusal);
  return html`<form method="post" action="${inLicense(visit, '/notifications/settings')}" class="sheet">${was}
${alert(refusal)}
${checkbox('enabled', texts.enabled, { value: 'on', isChecked: form.get('enabled') !== null })}
${checks('events', texts.events, events, { chosen: form.getAll('events'), error: refusal?.fields.events?.[0] })}
<fieldset>
${input('from_name', texts.fromName, { hint: texts.fromNameHint, maxlength: 100 })}
${input('reply_to', texts.replyTo, { type: 'email', hint: texts.replyToHint, ltr: true, maxlength: 254 })}
</fieldset>
<button>${words.save}</button>
</form>`;
}

const save = licenseForm('/notifications/settings', 'manage', page, async (visit) => {
  const { form, words } = visit;
  const changed = changedIn(form, await presentSettings(visit), words);
  const textOf = (name: string) => form.get(name)?.trim() || null;
  const sent = {
    enabled: form.get('enabled') !== null,
    events: form.getAll('events'),
    from_name: textOf('from_name'),
    reply_to: textOf('reply_to'),
  };
  await visit.call(changeSettings, { body: onlyChanged(changed, sent) });
  return { to: inLicense(visit, '/notifications'), notice: 'saved' };
});

/** The mails of each event, by language; those of the service stand where the license has none. */
async function templates(visit: LicenseVisit): Promise<Html> {
  const { words } = visit;
  const { notifications: texts } = words;
  const { data } = await visit.call(templateRoutes.list, {});
  const editing = ({ id, event, locale }: Template) =>
    id === null
      ? inLicense(visit, '/notifications/templates/new', { event, locale })
      : inLicense(visit, `/notifications/templates/${id}`);
  const list = table(words, texts.templates, data, [
    [words.event, ({ event }) => words.webhooks.events[event]],
    [words.language, ({ locale }) => languageName(locale)],
    [texts.subject, ({ subject }) => html`<bdi dir="auto" class="answer">${subject}</bdi>`],
    [texts.wording, (one) => (one.is_builtin ? texts.builtin : state('succeeded', texts.own))],
    [texts.edit, (one) => html`<a href="${editing(one)}">${texts.edit}</a>`],
  ]);
  const previews = SHIPMENT_EVENTS.map(
    (event) =>
      html`<li><a href="${inLicense(visit, '/notifications/preview', { event })}">${words.webhooks.events[event]}</a></li>`,
  );
  return html`<p>${texts.previews}</p><ul>${previews}</ul>
${list}`;
}

/** The name of a language in itself; its code for one that the panel does not have. */
export function languageName(locale: string): Html {
  return isLanguage(locale)
    ? html`<bdi lang="${locale}">${WORDS[locale].languageName}</bdi>`
    : html`${code(locale)}`;
}

const log = licenseScreen('get', '/notifications/log', 'manage', async (visit) => {
  const { account, words, query, license } = visit;
  const { notifications: texts } = words;
  const status = NOTIFICATION_STATUSES.find((one) => one === query.get('status'));
  const { data, meta } = await visit.call(settingsRoutes.logs, { query: cursorPage(visit, status) });
  const events = Object.entries(words.webhooks.events);
  const statuses = NOTIFICATION_STATUSES.map((one) => [one, texts.statuses[one]] as const);
  const mails = table(words, texts.log, data, [
    // First, where a phone shows it without scrolling.
    [words.state, ({ status: one }) => state(one, texts.statuses[one])],
    [
      words.time,
      ({ shipment_uuid, sent_at, created_at }) =>
        html`<a href="/panel/a/${account.id}/shipments/${shipment_uuid}">${moment(sent_at ?? created_at, words)}</a>`,
    ],
    [words.event, ({ event }) => events.find(([name]) => name === event)?.[1] ?? event],
    [words.recipient, ({ recipient }) => html`<bdi dir="ltr">${recipient ?? ''}</bdi>`],
    [texts.subject, ({ subject }) => html`<bdi dir="auto" class="answer">${subject ?? ''}</bdi>`],
    [texts.trouble, ({ last_error }) => html`<bdi dir="auto" class="answer">${last_error ?? ''}</bdi>`],
  ]);
  return {
    title: texts.log,
    main: html`${await dropped(visit)}
<form method="get" class="row bulk"><input type="hidden" name="license" value="${license.id}">
${select('status', words.state, [['', words.webhooks.anyStatus], ...statuses], status ?? '')}
<button class="second">${words.shipments.filter}</button></form>
${mails}
${cursorPages(visit, meta)}`,
  };
});

export const notificationScreens = [show, save, log];
