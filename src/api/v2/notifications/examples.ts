import type { Static } from 'typebox';
import type { NotificationLog, SettingsSchema, Template } from './schema.js';

const settings = {
  enabled: true,
  events: ['shipment.created', 'shipment.status_changed', 'shipment.delivered'],
  from_name: 'Acme Shop',
  reply_to: 'help@acme.test',
} satisfies Partial<Static<typeof SettingsSchema>>;

/** A license with mails on three events. */
export const settingsExample = { ...settings, updated_at: '2026-11-21T09:30:00.123456Z' };

export const settingsBodyExample = { license_key: 'lic_main', ...settings };

export const templateBodyExample = {
  event: 'shipment.delivered',
  locale: 'en',
  subject: '{{ merchant.name }}: order {{ order.number }} is with you',
  body: '<h1>Enjoy!</h1><p>Hello {{ recipient.name }}, order {{ order.number }} was delivered.</p>',
} as const;

export const templateExample = {
  id: 12,
  ...templateBodyExample,
  is_builtin: false,
  created_at: '2026-11-21T09:30:00.123456Z',
  updated_at: '2026-11-21T09:30:00.123456Z',
} satisfies Template;

/** A rendered mail, shortened. */
export const previewExample = {
  subject: 'Acme Shop: order #1001 is with you',
  html: '<!doctype html>\n<html lang="en" dir="ltr">…</html>\n',
  text: 'Enjoy!\n\nHello Dana Levi, order #1001 was delivered.\n',
} as const;

export const logExample = {
  id: 7041,
  event: 'shipment.delivered',
  event_id: '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5a',
  shipment_uuid: '019aa5a6-7c3a-7d4e-8f00-3f1c1d2e4b5b',
  recipient: 'dana@example.test',
  template_id: 12,
  subject: 'Acme Shop: order #1001 is with you',
  status: 'sent',
  attempts: 1,
  next_attempt_at: null,
  last_error: null,
  created_at: '2026-11-21T09:30:00.123456Z',
  sent_at: '2026-11-21T09:30:00.423456Z',
} satisfies NotificationLog;
