import type { Template } from '../../../../api/v2/notifications/schema.js';
import { templateRoutes } from '../../../../api/v2/notifications/template-routes.js';
import { notFound } from '../../../../domain/errors.js';
import { isShipmentEvent, SHIPMENT_EVENTS } from '../../../../domain/events.js';
import { type Html, html } from '../../../../domain/html.js';
import { PLACEHOLDERS } from '../../../../domain/mail-template/placeholders.js';
import { isLanguage, LANGUAGES } from '../../../../domain/recipient-words/language.js';
import { cutText } from '../../../../lib/text.js';
import {
  checkTemplate,
  listNotificationTemplates,
} from '../../../../services/mails/notification-templates.js';
import { previewNotification } from '../../../../services/mails/preview-notification.js';
import { changedIn, edited, onlyChanged, type Present } from '../edited.js';
import { facts, select } from '../layout.js';
import { inLicense, type LicenseVisit, licenseForm, licenseScreen } from '../license-screen.js';
import { alert, confirmed, fieldsOf, source, textArea } from '../parts.js';
import type { ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import { WORDS } from '../words/words.js';
import { languageName } from './notifications.js';

const SOURCE_CHARACTERS = 20_000;

type RenderedMail = Awaited<ReturnType<typeof previewNotification>>;

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
  return newPage({ ...visit, form });
});

function namesOf(form: URLSearchParams) {
  const event = form.get('event') ?? '';
  const locale = form.get('locale') ?? '';
  return {
    event: isShipmentEvent(event) ? event : SHIPMENT_EVENTS[0],
    locale: isLanguage(locale) ? locale : LANGUAGES[0],
  };
}

function newPage(visit: LicenseVisit, refusal: Refusal | null = null, preview?: RenderedMail): ScreenPage {
  const { words } = visit;
  const { notifications: texts } = words;
  const { event, locale } = namesOf(visit.form);
  const events = SHIPMENT_EVENTS.map((one) => [one, words.webhooks.events[one]] as const);
  const languages = LANGUAGES.map((one) => [one, WORDS[one].languageName] as const);
  const head = html`<fieldset>${select('event', words.event, events, event)}
${select('locale', words.language, languages, locale)}</fieldset>`;
  const path = '/notifications/templates/new';
  return editor(visit, { title: texts.new, path, locale, head, refusal, preview });
}

interface Edited {
  title: string;
  /** Where the form is sent; `/preview` below it shows it as a mail. */
  path: string;
  locale: string;
  head: Html;
  refusal: Refusal | null;
  preview: RenderedMail | undefined;
}

/** `form` of the visit: the text as it is, or as it was sent. */
function editor(visit: LicenseVisit, edited: Edited): ScreenPage {
  const { words, form } = visit;
  const { notifications: texts } = words;
  const { title, path, locale, head, refusal, preview } = edited;
  return {
    title,
    main: html`<p><a href="${inLicense(visit, '/notifications')}">${texts.title}</a></p>
<form method="post" action="${inLicense(visit, path)}" class="sheet">
${alert(refusal)}${head}
${fieldsOf(form, refusal)('subject', texts.subject, { required: true, maxlength: 255 })}
${textArea('body', texts.body, { value: form.get('body') ?? '', error: refusal?.fields.body?.[0], hint: texts.bodyHint, direction: 'auto' })}
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
<details><summary>${texts.source}</summary>${source(texts.source, cutText(mail.html, SOURCE_CHARACTERS))}</details>
</section>`;
}

/** The typed text. */
function textOf({ form }: LicenseVisit): Pick<Template, 'subject' | 'body'> {
  return { subject: form.get('subject') ?? '', body: form.get('body') ?? '' };
}

/** The typed text as a mail. @throws AppError `validation_failed` */
async function rendered(visit: LicenseVisit, locale: string): Promise<RenderedMail> {
  const { app, account, license } = visit;
  const template = { locale, ...textOf(visit) };
  checkTemplate(template);
  return await previewNotification(app, { accountId: account.id, licenseId: license.id, template });
}

const create = licenseForm('/notifications/templates/new', 'manage', newPage, async (visit) => {
  await visit.call(templateRoutes.create, { body: { ...namesOf(visit.form), ...textOf(visit) } });
  return { to: inLicense(visit, '/notifications'), notice: 'saved' };
});

const previewNew = licenseForm('/notifications/templates/new/preview', 'manage', newPage, async (visit) =>
  newPage(visit, null, await rendered(visit, namesOf(visit.form).locale)),
);

/** Names the template of the path. */
function named({ params }: LicenseVisit) {
  return { params: { id: params.template ?? '' } };
}

async function readTemplate(visit: LicenseVisit): Promise<Template> {
  return (await visit.call(templateRoutes.show, named(visit))).data;
}

function presentOf({ subject, body }: Pick<Template, 'subject' | 'body'>): Present {
  return { names: ['subject', 'body'], now: new URLSearchParams({ subject, body }) };
}

async function onePage(
  visit: LicenseVisit,
  refusal: Refusal | null = null,
  preview?: RenderedMail,
): Promise<ScreenPage> {
  const { words } = visit;
  const { notifications: texts } = words;
  const { id, event, locale, subject, body } = await readTemplate(visit);
  const present = presentOf({ subject, body });
  // A preview shows the text as it was typed, beside what was shown first.
  const { form, was } =
    preview === undefined
      ? edited(visit.form, present)
      : {
          form: visit.form,
          was: html`<input type="hidden" name="was" value="${visit.form.get('was') ?? present.now.toString()}">`,
        };
  const path = `/notifications/templates/${id}`;
  const title = words.webhooks.events[event];
  const head = facts([[words.language, languageName(locale)]]);
  const page = editor(
    { ...visit, form },
    { title, path, locale, head: html`${was}${head}`, refusal, preview },
  );
  const question = { button: words.remove, question: texts.removeQuestion };
  return { ...page, main: html`${page.main}${confirmed(inLicense(visit, `${path}/delete`), question)}` };
}

const show = licenseScreen('get', '/notifications/templates/:template', 'manage', (visit) => onePage(visit));

const change = licenseForm('/notifications/templates/:template', 'manage', onePage, async (visit) => {
  const changed = changedIn(visit.form, presentOf(await readTemplate(visit)), visit.words);
  await visit.call(templateRoutes.change, { ...named(visit), body: onlyChanged(changed, textOf(visit)) });
  return { to: inLicense(visit, '/notifications'), notice: 'saved' };
});

const previewOne = licenseForm(
  '/notifications/templates/:template/preview',
  'manage',
  onePage,
  async (visit) => {
    const { locale } = await readTemplate(visit);
    return await onePage(visit, null, await rendered(visit, locale));
  },
);

const remove = licenseScreen('post', '/notifications/templates/:template/delete', 'manage', async (visit) => {
  await visit.call(templateRoutes.remove, named(visit));
  return { to: inLicense(visit, '/notifications'), notice: 'deleted' };
});

export const templateScreens = [every, blank, create, previewNew, show, change, previewOne, remove];
