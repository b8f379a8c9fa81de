import { type Html, html } from '../../../src/domain/html.js';
import { clock, fullAddresses, layout, linkTo, sizeText } from './layout.js';
import type { OpenedMail } from './mailbox.js';
import type { CaughtMail } from './parse.js';

/** What a mail may do in its frame: open links. The script measures it, which takes the same origin; nothing runs. */
export const FRAME_SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

const SHOWN_SOURCE_BYTES = 200 * 1024;
const WIDTHS = [
  ['desktop', 'Desktop'],
  ['phone', 'Phone'],
] as const;

type View = 'html' | 'text' | 'source';
type Width = (typeof WIDTHS)[number][0];

/** How a mail is shown; null or unknown is what suits the mail. */
export interface MailPageRequest {
  view: string | null;
  width: string | null;
}

/** One mail. Its HTML is in a frame in which nothing runs and nothing is loaded; the script makes it as high as the mail. */
export function mailPage(opened: OpenedMail, request: MailPageRequest): string {
  const { mail } = opened;
  const view = viewOf(mail, request.view);
  const width: Width = request.width === 'phone' ? 'phone' : 'desktop';
  const linkOf = (id: number, to: { view: View; width: Width }) =>
    linkTo(`/mails/${id}`, {
      view: to.view === viewOf(mail, null) ? null : to.view,
      width: to.width === 'phone' ? to.width : null,
    });
  const neighbour = (id: number | null, text: string) =>
    id === null ? null : html`<a href="${linkOf(id, { view, width })}">${text}</a>`;
  const body = html`<nav class="way" aria-label="Mails"><a href="/">← Inbox</a>
<span>${neighbour(opened.newer, '← Newer')}${neighbour(opened.older, 'Older →')}</span></nav>
<article class="card">
<h1 dir="auto">${mail.subject || '(no subject)'}</h1>
${facts(opened)}
${files(opened)}
<div class="tools">
${choice('View', view, viewsOf(mail), (to) => linkOf(opened.id, { view: to, width }))}
${view === 'html' ? choice('Width', width, WIDTHS, (to) => linkOf(opened.id, { view, width: to })) : null}
<a class="eml" href="/mails/${opened.id}/mail.eml" download>Download .eml</a>
</div>
${content(opened, view, width)}
</article>`;
  return layout({ title: mail.subject || 'Mail', query: '', body, renews: false });
}

function facts({ mail, receivedAt }: OpenedMail): Html {
  const row = (name: string, value: Html | null) =>
    value === null || value.text === '' ? null : html`<dt>${name}</dt><dd>${value}</dd>`;
  return html`<dl>
${row('From', fullAddresses(mail.from))}
${row('To', fullAddresses(mail.to))}
${row('Reply to', fullAddresses(mail.replyTo))}
${row('Received', clock(receivedAt))}
${row('Message-ID', mail.messageId === '' ? null : html`<bdi dir="ltr">${mail.messageId}</bdi>`)}
</dl>`;
}

function files({ id, mail }: OpenedMail): Html | null {
  if (mail.attachments.length === 0) return null;
  const items = mail.attachments.map(
    ({ filename, contentType, content: bytes }, index) =>
      html`<li><a href="/mails/${id}/attachments/${index}" download><bdi>${filename}</bdi></a> <span class="soft">${contentType} · ${sizeText(bytes.length)}</span></li>`,
  );
  return html`<ul class="attached" aria-label="Attachments">${items}</ul>`;
}

function viewsOf(mail: CaughtMail): readonly (readonly [View, string])[] {
  return [...(mail.html === '' ? [] : [['html', 'HTML'] as const]), ['text', 'Text'], ['source', 'Source']];
}

function viewOf(mail: CaughtMail, asked: string | null): View {
  const found = viewsOf(mail).find(([view]) => view === asked);
  return found?.[0] ?? (mail.html === '' ? 'text' : 'html');
}

function choice<T extends string>(
  label: string,
  chosen: T,
  offered: readonly (readonly [T, string])[],
  linkOf: (to: T) => string,
): Html {
  const links = offered.map(([to, text]) =>
    to === chosen
      ? html`<a href="${linkOf(to)}" aria-current="true">${text}</a>`
      : html`<a href="${linkOf(to)}">${text}</a>`,
  );
  return html`<nav class="choice ${label.toLowerCase()}" aria-label="${label}">${links}</nav>`;
}

function content({ id, mail, source }: OpenedMail, view: View, width: Width): Html {
  if (view === 'text') return html`<pre dir="auto">${mail.text || '(no text)'}</pre>`;
  if (view === 'html') {
    return html`<div class="paper ${width}"><iframe title="The mail as HTML" sandbox="${FRAME_SANDBOX}" src="/mails/${id}/html"></iframe></div>`;
  }
  const cut =
    source.length <= SHOWN_SOURCE_BYTES
      ? null
      : html`<p class="cut">The first ${sizeText(SHOWN_SOURCE_BYTES)} of ${sizeText(source.length)}; the download has all of it.</p>`;
  return html`${cut}<pre dir="ltr">${source.toString('utf8', 0, SHOWN_SOURCE_BYTES)}</pre>`;
}
