import { type Html, html } from '../../../src/domain/html.js';
import { clock, layout, linkTo, shortAddresses, sizeText } from './layout.js';
import { type ListedMail, type Mailbox, type MailPage, PAGE_MAILS } from './mailbox.js';
import type { MailSummary } from './parse.js';

const PAPERCLIP = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"><path d="M13.5 7.2 8 12.7a3.2 3.2 0 0 1-4.6-4.6l5.9-5.9a2.1 2.1 0 0 1 3 3l-5.8 5.8a1 1 0 0 1-1.5-1.5l5.2-5.2"/></svg>`;

const CLEAR = html`<form method="post" action="/clear"><button>Delete all</button></form>`;

/** What of the inbox is asked for. `page` begins with 1. */
export interface ListRequest {
  query: string;
  page: number;
}

/** A part of the inbox, newest first. The script renews what is within `#mails`. */
export async function listPage(box: Mailbox, { query, page }: ListRequest): Promise<string> {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const found = await box.list(words, page);
  const title = words.length === 0 ? 'Inbox' : `Search: ${query}`;
  const body = html`<div id="mails">
<div class="above"><h1>${words.length === 0 ? 'Inbox' : 'Search'}</h1>
<p role="status">${countText(found.found, words.length > 0)}${droppedText(box)}</p>
${box.count === 0 ? null : CLEAR}</div>
${found.mails.length === 0 ? emptyList(words.length > 0) : html`<ol class="card mails">${found.mails.map(row)}</ol>`}
${pageLinks(found, { query, page })}
</div>`;
  return layout({ title, query, body, renews: true });
}

function row({ id, receivedAt, summary }: ListedMail): Html {
  return html`<li><a href="/mails/${id}">
<span class="from">${summary.from.length === 0 ? 'Unknown sender' : shortAddresses(summary.from)}</span>
<span class="to soft">To ${shortAddresses(summary.to)}</span>
<span class="subject" dir="auto">${summary.subject || '(no subject)'}</span>
<span class="snippet soft" dir="auto">${summary.snippet}</span>
<span class="when soft">${clock(receivedAt)}</span>
<span class="files soft">${filesText(summary)}</span>
</a></li>
`;
}

function filesText({ files }: MailSummary): Html | null {
  if (files.length === 0) return null;
  const size = sizeText(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  return html`${PAPERCLIP}<span class="unseen">Attachments: </span>${files.length} · ${size}`;
}

function countText(count: number, isSearch: boolean): string {
  const mails = count === 1 ? '1 mail' : `${count.toLocaleString('en-US')} mails`;
  return isSearch ? `${mails} found.` : `${mails}.`;
}

function droppedText({ dropped, limits }: Mailbox): string | null {
  if (dropped === 0) return null;
  const older = dropped === 1 ? '1 older one was' : `${dropped.toLocaleString('en-US')} older ones were`;
  const most = limits.mails.toLocaleString('en-US');
  return ` ${older} dropped: the newest ${most} are kept, up to ${sizeText(limits.bytes)}.`;
}

function emptyList(isSearch: boolean): Html {
  return html`<p class="card empty">${isSearch ? 'No mail has these words.' : 'No mail yet.'}</p>`;
}

function pageLinks({ found }: MailPage, { query, page }: ListRequest): Html | null {
  const last = Math.ceil(found / PAGE_MAILS);
  if (last < 2) return null;
  const to = (number: number) =>
    linkTo('/', { q: query === '' ? null : query, page: number === 1 ? null : String(number) });
  return html`<nav class="pages" aria-label="Pages">
<span>${page > 1 ? html`<a href="${to(page - 1)}">← Newer</a>` : null}</span>
<span class="soft">Page ${page} of ${last}</span>
<span>${page < last ? html`<a href="${to(page + 1)}">Older →</a>` : null}</span>
</nav>`;
}
