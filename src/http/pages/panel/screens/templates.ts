import { type Static, Type } from 'typebox';
import { type Template, TemplateSchema } from '../../../../api/v2/notifications/schema.js';
import { dataOf } from '../../../../api/v2/schemas.js';
import { notFound } from '../../../../domain/errors.js';
import { isShipmentEvent, SHIPMENT_EVENTS } from '../../../../domain/events.js';
import { type Html, html } from '../../../../domain/html.js';
import { PLACEHOLDERS } from '../../../../domain/mail-template/placeholders.js';
import { isLanguage, LANGUAGES } from '../../../../domain/recipient-words/language.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { compileOnUse } from '../../../../lib/schema.js';
import { cutText } from '../../../../lib/text.js';
import {
  checkTemplate,
  listNotificationTemplates,
} from '../../../../services/mails/notification-templates.js';
import { previewNotification } from '../../../../services/mails/preview-notification.js';
import { facts, field, select } from '../layout.js';
import { inLicense, type LicenseVisit, licenseScreen } from '../license-screen.js';
import { alert, confirmed, type Refusal, refusalOf, source, textArea } from '../parts.js';
import type { Answer, ScreenPage } from '../screen.js';
import { WORDS } from '../words/words.js';
import { languageName } from './notifications.js';

const oneAnswer = dataOf(TemplateSchema);
const checkOne = compileOnUse<Static<typeof oneAnswer>>(oneAnswer);
const checkNothing = compileOnUse<null>(Type.Null());

type RenderedMail = Awaited<ReturnType<typeof previewNotification>>;

/** What an edited mail's page shows beside its fields. */
interface Shown {
  refusal?: Refusal;
  preview?: RenderedMail;
}

const every = licenseScreen('get', '/notifications/preview', 'manage', async (visit) => {
  const { app, account, license, words, query } = visit;
  const event = query.get('event') ?? '';
  if (!isShipmentEvent(event)) throw notFound('event');
  const scope = { accountId: account.id, licenseId: license.id };
  const templates = await listNotificationTemplates(app.db, { ...scope, event });
  const mails = await Promise.all(
    templates.map(async (template) => ({
      locale: template.locale,
      mail: await previewNotification(app, { ...scope, template }),
    })),
  );
  return {
    title: `${words.notifications.preview}: ${words.webhooks.events[event]}`,
    main: html`<p><a href="${inLicense(visit, '/notifications')}">${words.notifications.title}</a></p>
<p>${words.notifications.sample}</p>
${mails.map(({ locale, mail }) => html`<h2>${languageName(locale)}</h2>${mailText(locale, mail)}`)}`,
  };
});

/** A mail as a recipient whose program shows text reads it. */
function mailText(locale: string, { subject, text }: RenderedMail): Html {
  const direction = isLanguage(locale) ? WORDS[locale].direction : 'auto';
  return html`<article class="card mail" lang="${locale}" dir="${direction}"><p class="subject">${subject}</p>
<p class="text">${text}</p></article>`;
}

const blank = licenseScreen('get', '/notifications/templates/new', 'manage', async (visit) => {
  const { app, account, license, query } = visit;
  const scope = { accountId: account.id, licenseId: license.id };
  const { event, locale } = namesOf(query);
  const known = await listNotificationTemplates(app.db, { ...scope, event });
  const start = known.find((one) => one.locale === locale);
  const form = new URLSearchParams({ event, locale, subject: start?.subject ?? '', body: start?.body ?? '' });
  return newPage(visit, form, {});
});

function namesOf(form: URLSearchParams) {
  const event = form.get('event') ?? '';
  const locale = form.get('locale') ?? '';
  return {
    event: isShipmentEvent(event) ? event : SHIPMENT_EVENTS[0],
    locale: isLanguage(locale) ? locale : LANGUAGES[0],
  };
}

function newPage(visit: LicenseVisit, form: URLSearchParams, shown: Shown): ScreenPage {
  const { words } = visit;
  const { notifications: texts } = words;
  const { event, locale } = namesOf(form);
  const events = SHIPMENT_EVENTS.map((one) => [one, words.webhooks.events[one]] as const);
  const languages = LANGUAGES.map((one) => [one, WORDS[one].languageName] as const);
  const head = html`<fieldset>${select('event', words.event, events, event)}
${select('locale', words.language, languages, locale)}</fieldset>`;
  return editor(visit, { title: texts.new, path: '/notifications/templates/new', locale, head }, form, shown);
}

interface Edited {
  title: string;
  /** Where the form is sent; `/preview` below it shows it as a mail. */
  path: string;
  locale: string;
  head: Html;
}

function editor(visit: LicenseVisit, edited: Edited, form: URLSearchParams, shown: Shown): ScreenPage {
  const { words } = visit;
  const { notifications: texts } = words;
  const { title, path, locale, head } = edited;
  const { refusal = null, preview } = shown;
  const error = (name: string) => refusal?.fields[name]?.[0];
  return {
    title,
    status: refusal === null ? 200 : 422,
    main: html`<p><a href="${inLicense(visit, '/notifications')}">${texts.title}</a></p>
<form method="post" action="${inLicense(visit, path)}" class="sheet">
${alert(refusal)}${head}
${field('subject', texts.subject, { value: form.get('subject') ?? '', error: error('subject'), required: true, maxlength: 255 })}
${textArea('body', texts.body, { value: form.get('body') ?? '', error: error('body'), hint: texts.bodyHint, direction: 'auto' })}
<p class="actions"><button>${words.save}</button>
<button class="second" formaction="${inLicense(visit, `${path}/preview`)}">${texts.preview}</button></p>
${placeholders(texts.placeholders)}
</form>
${preview === undefined ? null : previewOf(visit, locale, preview)}`,
  };
}

function placeholders(title: string): Html {
  const names = Object.entries(PLACEHOLDERS).map(([name, meaning]) => [`{{ ${name} }}`, meaning] as const);
  return html`<details><summary>${title}</summary><div dir="ltr" lang="en">${facts(names)}</div></details>`;
}

function previewOf({ words }: LicenseVisit, locale: string, mail: RenderedMail): Html {
  const { notifications: texts } = words;
  return html`<section id="preview"><h2>${texts.preview}</h2>
<p>${texts.sample}</p>
${mailText(locale, mail)}
<details><summary>${texts.source}</summary>${source(texts.source, cutText(mail.html, LIMITS.panel.sourceCharacters))}</details>
</section>`;
}

/** The typed text as a mail. @throws AppError `validation_failed` */
async function rendered(visit: LicenseVisit, locale: string): Promise<RenderedMail> {
  const { app, account, license, form } = visit;
  const template = { locale, subject: form.get('subject') ?? '', body: form.get('body') ?? '' };
  checkTemplate(template);
  return await previewNotification(app, { accountId: account.id, licenseId: license.id, template });
}

/** Does something with the typed text; a refusal comes back in its form. */
async function attempt(act: () => Promise<Answer>, refused: (shown: Shown) => Answer): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    return refused({ refusal: refusalOf(error) });
  }
}

const create = licenseScreen('post', '/notifications/templates/new', 'manage', async (visit) =>
  attempt(
    async () => {
      const { form, license, v2 } = visit;
      const text = { subject: form.get('subject') ?? '', body: form.get('body') ?? '' };
      const body = { license_key: license.key, ...namesOf(form), ...text };
      await v2('createNotificationTemplate', { body }, checkOne);
      return { to: inLicense(visit, '/notifications'), notice: 'saved' };
    },
    (shown) => newPage(visit, visit.form, shown),
  ),
);

const previewNew = licenseScreen('post', '/notifications/templates/new/preview', 'manage', async (visit) =>
  attempt(
    async () => newPage(visit, visit.form, { preview: await rendered(visit, namesOf(visit.form).locale) }),
    (shown) => newPage(visit, visit.form, shown),
  ),
);

async function readTemplate({ v2, params, license }: LicenseVisit): Promise<Template> {
  const input = { params: { id: params.template ?? '' }, query: { license_key: license.key } };
  return (await v2('getNotificationTemplate', input, checkOne)).data;
}

function onePage(
  visit: LicenseVisit,
  { id, event, locale }: Template,
  form: URLSearchParams,
  shown: Shown,
): ScreenPage {
  const { words } = visit;
  const { notifications: texts } = words;
  const path = `/notifications/templates/${id}`;
  const title = words.webhooks.events[event];
  const head = facts([[words.language, languageName(locale)]]);
  const page = editor(visit, { title, path, locale, head }, form, shown);
  const question = { button: words.remove, question: texts.removeQuestion };
  return { ...page, main: html`${page.main}${confirmed(inLicense(visit, `${path}/delete`), question)}` };
}

const show = licenseScreen('get', '/notifications/templates/:template', 'manage', async (visit) => {
  const template = await readTemplate(visit);
  const { subject, body } = template;
  return onePage(visit, template, new URLSearchParams({ subject, body }), {});
});

const change = licenseScreen('post', '/notifications/templates/:template', 'manage', async (visit) => {
  const template = await readTemplate(visit);
  return await attempt(
    async () => {
      const { form, license, params, v2 } = visit;
      const text = { subject: form.get('subject') ?? '', body: form.get('body') ?? '' };
      const body = { license_key: license.key, ...text };
      await v2('changeNotificationTemplate', { params: { id: params.template ?? '' }, body }, checkOne);
      return { to: inLicense(visit, '/notifications'), notice: 'saved' };
    },
    (shown) => onePage(visit, template, visit.form, shown),
  );
});

const previewOne = licenseScreen(
  'post',
  '/notifications/templates/:template/preview',
  'manage',
  async (visit) => {
    const template = await readTemplate(visit);
    return await attempt(
      async () => onePage(visit, template, visit.form, { preview: await rendered(visit, template.locale) }),
      (shown) => onePage(visit, template, visit.form, shown),
    );
  },
);

const remove = licenseScreen('post', '/notifications/templates/:template/delete', 'manage', async (visit) => {
  const { params, license, v2 } = visit;
  const input = { params: { id: params.template ?? '' }, query: { license_key: license.key } };
  await v2('deleteNotificationTemplate', input, checkNothing);
  return { to: inLicense(visit, '/notifications'), notice: 'deleted' };
});

export const templateScreens = [every, blank, create, previewNew, show, change, previewOne, remove];
