import { type Html, html } from '../../domain/html.js';
import type { CaughtMail } from './mailbox.js';

/** Styles of the inbox; the page needs nothing else from anywhere. */
export const STYLE = `
:root { color-scheme: light; --ink: #1d2733; --soft: #5a6875; --line: #e1e6eb; --accent: #0b5cad; }
* { box-sizing: border-box; }
body { margin: 0; background: #f3f5f7; color: var(--ink);
  font: 15px/1.5 'Noto Sans', 'Noto Sans Hebrew', 'Segoe UI', Arial, sans-serif; }
header { display: flex; gap: 16px; align-items: center; justify-content: space-between; padding: 14px 24px;
  background: #fff; border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 18px; }
h1 a { color: inherit; text-decoration: none; }
main { max-width: 1000px; margin: 24px auto; padding: 0 16px; }
button { padding: 7px 14px; border: 1px solid var(--line); border-radius: 8px; background: #fff; color: var(--ink);
  font: inherit; cursor: pointer; }
.card { background: #fff; border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.empty { padding: 56px 24px; text-align: center; color: var(--soft); }
.mail { display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr) auto; gap: 4px 20px; padding: 13px 20px;
  border-top: 1px solid var(--line); color: inherit; text-decoration: none; }
.mail:first-child { border-top: 0; }
.mail:hover, .mail:focus-visible { background: #f0f6fc; }
.mail > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.subject { font-weight: 600; }
.soft { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 18px; margin: 0; padding: 18px 24px;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
dt { color: var(--soft); } dd { margin: 0; }
iframe { display: block; width: 100%; height: 76vh; border: 0; background: #fff; }
details { border-top: 1px solid var(--line); padding: 14px 24px; }
summary { cursor: pointer; color: var(--accent); }
pre { margin: 14px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.55 ui-monospace, monospace; }
a { color: var(--accent); }
@media (max-width: 640px) { .mail { grid-template-columns: minmax(0, 1fr) auto; } .mail .subject { grid-column: 1 / -1; grid-row: 2; } }
`;

/** The list of mails, newest first. It renews itself. */
export function inboxPage(mails: readonly CaughtMail[]): string {
  const rows = mails.toReversed().map(
    (mail) => html`<a class="mail" href="/mails/${mail.id}">
<span dir="auto">${mail.to}</span><span class="subject" dir="auto">${mail.subject || '(no subject)'}</span>
<span class="soft">${filesOf(mail)}${clock(mail)}</span></a>`,
  );
  const list = rows.length === 0 ? html`<p class="empty">No mail yet.</p>` : rows;
  return page('Inbox', html`<div class="card">${list}</div>`, {
    head: html`<meta http-equiv="refresh" content="5">`,
    count: mails.length,
  });
}

/** One mail. Its HTML is shown in a frame in which nothing runs and nothing is loaded. */
export function mailPage(mail: CaughtMail): string {
  const files = mail.attachments.map(
    ({ filename, content }, index) =>
      html`<a href="/mails/${mail.id}/attachments/${index}">${filename}</a> (${Math.ceil(content.length / 1024)} KiB) `,
  );
  const row = (name: string, value: string) =>
    value === '' ? null : html`<dt>${name}</dt><dd dir="auto">${value}</dd>`;
  const body = html`<article class="card">
<dl>${row('Subject', mail.subject)}${row('To', mail.to)}${row('From', mail.from)}${row('Reply to', mail.replyTo)}
${row('Date', mail.date?.toISOString() ?? '')}${row('Message-ID', mail.messageId)}
${files.length === 0 ? null : html`<dt>Attachments</dt><dd>${files}</dd>`}
<dt>As sent</dt><dd><a href="/mails/${mail.id}/source">source</a></dd></dl>
${
  mail.html === ''
    ? null
    : html`<iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"
 src="/mails/${mail.id}/html"></iframe>`
}
<details${mail.html === '' ? OPEN : null}><summary>As plain text</summary><pre dir="auto">${mail.text}</pre></details>
</article>`;
  return page(mail.subject || 'Mail', body, { head: null, count: null });
}

const OPEN = html` open`;

function page(
  title: string,
  body: Html,
  { head, count }: { head: Html | null; count: number | null },
): string {
  const clear = html`<form method="post" action="/clear"><button>Delete all ${count}</button></form>`;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Mail catcher</title><link rel="stylesheet" href="/style.css">${head}</head>
<body><header><h1><a href="/">Mail catcher</a></h1>${count === null || count === 0 ? null : clear}</header>
<main>${body}</main></body>
</html>
`.text;
}

function filesOf({ attachments }: CaughtMail): string {
  if (attachments.length === 0) return '';
  return attachments.length === 1 ? '1 file · ' : `${attachments.length} files · `;
}

function clock({ date }: CaughtMail): string {
  return date === null ? '' : date.toISOString().slice(5, 16).replace('T', ' ');
}
