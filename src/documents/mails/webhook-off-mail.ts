import { html } from '../../domain/html.js';
import type { MailData } from '../../domain/notifications.js';
import { framed, type RenderedMail } from './frame.js';

/** A disabled subscription. `offSince`: ISO 8601 UTC. */
interface WebhookOffData {
  id: string;
  accountName: string;
  merchant: MailData['merchant'];
  url: string;
  /** `gone`: the receiver asked for it. */
  reason: string;
  offSince: string;
}

const TITLE = 'Your webhook was turned off';
const WHY = 'You get this e-mail because the webhook belongs to your account.';

/** Tells a webhook's owner that it was disabled and what to do; English, like the API. */
export function renderWebhookOffMail(mailData: WebhookOffData): RenderedMail {
  const route = `/api/v2/webhooks/${mailData.id}`;
  const hello = `Hello ${mailData.accountName},`;
  const news = `No events are sent to ${mailData.url} any more.`;
  const reason =
    mailData.reason === 'gone'
      ? 'Its receiver answered 410 Gone, which asks us to stop.'
      : 'Every delivery to it has failed for five days.';
  const kept =
    'Nothing is lost: the deliveries that failed are kept for 30 days. When the receiver works again:';
  const steps = [
    ['Turn it on', `PATCH ${route}`, '{"is_active": true}'],
    ['Test it', `POST ${route}/ping`, ''],
    [
      'Have them sent',
      `POST ${route}/replay`,
      `{"since": "${mailData.offSince.slice(0, 10)}"}, or an earlier day`,
    ],
  ] as const;
  // No contact lines: the reader is the merchant.
  const merchant = { ...mailData.merchant, email: '', phone: '' };
  const body = html`<h1>${TITLE}</h1>
<p>${hello}</p>
<p>${news}</p>
<p class="note">${reason}</p>
<p>${kept}</p>
<table class="facts"><tbody>
${steps.map(([label, call, sent]) => html`<tr><td class="muted">${label}</td><td>${call}<br>${sent}</td></tr>\n`)}</tbody></table>`;
  const text = [
    hello,
    news,
    reason,
    kept,
    steps.map(([label, call, sent]) => `${label}: ${call} ${sent}`.trim()).join('\n'),
    '',
  ].join('\n\n');
  return framed({ language: 'en', subject: TITLE, html: body.text, text, merchant, why: WHY });
}
