import { type Static, Type } from 'typebox';
import { NOTIFICATION_STATUSES } from '../../../db/queries/mails/notification-logs.js';
import { SHIPMENT_EVENTS } from '../../../domain/events.js';
import { MAX_PLACEHOLDERS } from '../../../domain/mail-template/parse.js';
import { closedObject, nullableInteger, nullableText, stamps, whenOrNull } from '../../schemas.js';
import { FILLED_LINE_PATTERN, LINE_PATTERN } from '../../validation.js';
import { cursorQuery, licenseKeyInput, licenseKeyQuery, optionalText, requiredText } from '../schemas.js';

const Event = Type.Enum([...SHIPMENT_EVENTS], { description: 'What happened to the shipment.' });
const Locale = Type.String({
  pattern: '^[a-z]{2}$',
  description: "Language, two letters. A mail is sent in the account's.",
  examples: ['en'],
});
const SUBJECT = 'One line; may hold placeholders.';
const BODY =
  'Plain text, or HTML of a few tags: p, div, h1 to h3, ul, ol, li, blockquote, table, tbody, tr, td, th, hr, br, ' +
  'a, b, strong, i, em, u, s, small, span, bdi; with the attributes href, dir, and class of button, facts, note, ' +
  `muted or center. May hold placeholders, at most ${MAX_PLACEHOLDERS}, those of sections and links included. The ` +
  "bodies of a license's templates have at most 1 MiB in all.";
const MAX_BODY = 65_536;
const MAIL_STATUS =
  '`pending`: waits, or is retried. `sent`: the mail server accepted it. `failed`: given up. `skipped`: not sent; ' +
  '`last_error` says why.';

/** A mail's header is one line. */
const Subject = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: FILLED_LINE_PATTERN,
  description: SUBJECT,
});

export const SettingsSchema = closedObject('NotificationSettings', 'Mails to the recipients of a license.', {
  enabled: Type.Boolean({ description: 'Whether recipients get mails.' }),
  events: Type.Array(Event, { description: 'Events on which a mail is sent.' }),
  from_name: nullableText("Name shown as the sender; null: the merchant's name."),
  reply_to: nullableText("Reply address; null: the merchant's support e-mail."),
  updated_at: whenOrNull('When they last changed; null while they never have.'),
});

/** Body of PUT settings; replaces all. */
export const SettingsBody = Type.Object({
  license_key: licenseKeyInput,
  enabled: Type.Boolean({ description: 'Whether recipients get mails.' }),
  events: Type.Array(Event, {
    maxItems: SHIPMENT_EVENTS.length,
    description: 'Events on which a mail is sent.',
  }),
  from_name: optionalText("Default: the merchant's name.", { maxLength: 100, pattern: LINE_PATTERN }),
  reply_to: optionalText("Reply address. Default: the merchant's support e-mail.", {
    maxLength: 254,
    format: 'email',
  }),
});

export const TemplateSchema = closedObject(
  'NotificationTemplate',
  'Subject and body of a mail for an event in a language.',
  {
    id: nullableInteger('Null for a built-in one.'),
    event: Event,
    locale: Locale,
    subject: Type.String({ description: SUBJECT }),
    body: Type.String({ description: BODY }),
    is_builtin: Type.Boolean({
      description: 'True for the built-in wording, used when the license has no template.',
    }),
    created_at: whenOrNull('When it was made; null for a built-in one.'),
    updated_at: whenOrNull('When it last changed; null for a built-in one.'),
  },
);
export type Template = Static<typeof TemplateSchema>;

export const TemplateBody = Type.Object({
  license_key: licenseKeyInput,
  event: Event,
  locale: Locale,
  subject: Subject,
  body: requiredText(BODY, MAX_BODY),
});

/** Changes of a template; missing fields stay. */
export const TemplateChanges = Type.Partial(TemplateBody);

/** Body of a preview; unsaved text overrides the stored one. */
export const PreviewBody = Type.Object({
  license_key: licenseKeyInput,
  shipment: optionalText('Uuid of a shipment of the license; null uses sample data.', { format: 'uuid' }),
  subject: Type.Optional(Subject),
  body: Type.Optional(requiredText('Replaces the stored one; the same rules.', MAX_BODY)),
});

export const PreviewSchema = closedObject('NotificationPreview', 'A mail as the recipient would get it.', {
  subject: Type.String({ description: 'Subject of the mail.' }),
  html: Type.String({ description: 'A whole HTML document.' }),
  text: Type.String({ description: 'The same as plain text.' }),
});

export const LogSchema = closedObject('NotificationLog', 'A mail to a recipient.', {
  id: Type.Integer({ description: 'Id of the mail.' }),
  event: Type.String({ description: 'The reported event.' }),
  event_id: Type.String({ description: 'The same as in webhooks.' }),
  shipment_uuid: Type.String({ format: 'uuid', description: 'The uuid of the shipment.' }),
  recipient: nullableText('Address; null before the first try.'),
  template_id: nullableInteger('The template; null for a built-in one, and before the first try.'),
  subject: nullableText('Subject; null before the first try.'),
  status: Type.Enum([...NOTIFICATION_STATUSES], { description: MAIL_STATUS }),
  attempts: Type.Integer({ description: 'Number of tries.' }),
  next_attempt_at: whenOrNull('Time of the next try; null when there is none.'),
  last_error: nullableText('Error of the last failed try, or why the mail was skipped.'),
  created_at: stamps.created_at,
  sent_at: whenOrNull('When the mail server accepted it; null before.'),
});
export type NotificationLog = Static<typeof LogSchema>;

export const ListTemplatesQuery = Type.Object({
  license_key: licenseKeyQuery,
  'filter[event]': Type.Optional(Event),
});

export const ListLogsQuery = Type.Object({
  license_key: licenseKeyQuery,
  'filter[status]': Type.Optional(
    Type.Enum([...NOTIFICATION_STATUSES], { description: 'Only mails in this status.' }),
  ),
  'filter[event]': Type.Optional(Event),
  'filter[shipment]': Type.Optional(Type.String({ format: 'uuid', description: "The shipment's uuid." })),
  ...cursorQuery,
});

export const TemplateParams = Type.Object({
  id: Type.String({ description: 'Id of the template.', examples: ['12'] }),
});
