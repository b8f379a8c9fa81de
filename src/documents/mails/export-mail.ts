import type { ExportFilter } from '../../domain/exports.js';
import { type Html, html } from '../../domain/html.js';
import type { MailFacts } from '../../domain/notifications.js';
import type { Language } from '../../domain/recipient-words/language.js';
import { EXPORT_WORDS, type ExportWords } from './export-words.js';
import { frameHtml, frameText } from './frame.js';
import type { RenderedMail } from './recipient-mail.js';
import { statusWords } from './status-words.js';
import { directionOf, languageOf, spokenLanguage } from './wording.js';

/** Content of an export's mail. Times are ISO 8601 UTC. */
export interface ExportMailFacts {
  /** The account's locale; English where we lack its language. */
  locale: string;
  accountName: string;
  merchant: MailFacts['merchant'];
  licenseName: string;
  createdAt: string;
  filter: ExportFilter;
  /** Shipments in the whole export. */
  rowCount: number;
  filename: string;
  /** Null when the file is attached. */
  link: ExportLinkFacts | null;
}

/** Link to a file that is too large for a mail, and its expiry. */
export interface ExportLinkFacts {
  url: string;
  expiresAt: string;
}

/** Renders the mail with an export or its link. Merchants' texts are escaped. */
export function renderExportMail(facts: ExportMailFacts): RenderedMail {
  const language = spokenLanguage(languageOf(facts.locale));
  const words = EXPORT_WORDS[language];
  const { link } = facts;
  const hello = words.hello(facts.accountName);
  const news = link === null ? words.attached : words.linked(minute(link.expiresAt, language));
  const rows = rowsOf(facts, language);
  const subject = words.subject(facts.licenseName);
  // No contact lines: the reader is the merchant.
  const merchant = { ...facts.merchant, email: '', phone: '' };
  const text = [
    words.title,
    '',
    hello,
    '',
    news,
    '',
    ...(link === null ? [] : [link.url, '']),
    words.keep,
    '',
    ...rows.map(([label, value]) => `${label}: ${value}`),
    '',
  ].join('\n');
  const body = html`<h1>${words.title}</h1>
<p>${hello}</p>
<p>${news}</p>
${link === null ? null : button(words, link)}
<p class="note">${words.keep}</p>
<table class="facts"><tbody>
${rows.map(([label, value]) => html`<tr><td class="muted">${label}</td><td><bdi>${value}</bdi></td></tr>\n`)}</tbody></table>`;
  return {
    subject,
    html: frameHtml({ language, subject, html: body.text, merchant, why: words.why }),
    text: frameText({ language, text, merchant, why: words.why }),
  };
}

function button(words: ExportWords, { url }: ExportLinkFacts): Html {
  return html`<p class="center"><a class="button" href="${url}">${words.download}</a></p>`;
}

function rowsOf(facts: ExportMailFacts, language: Language): readonly [label: string, value: string][] {
  const { labels } = EXPORT_WORDS[language];
  return [
    [labels.license, facts.licenseName],
    [labels.shipments, facts.rowCount.toLocaleString('en-US')],
    [labels.asked, minute(facts.createdAt, language)],
    [labels.filters, filterText(facts.filter, language)],
    [labels.file, facts.filename],
  ];
}

function filterText(filter: ExportFilter, language: Language): string {
  const words = EXPORT_WORDS[language];
  const parts = [
    filter.active === undefined ? null : filter.active ? words.active.yes : words.active.no,
    filter.type === undefined ? null : words.type[filter.type],
    filter.status === undefined ? null : words.status(statusWords(filter.status, language)),
    filter.createdFrom === undefined ? null : words.from(minute(filter.createdFrom, language)),
    filter.createdTo === undefined ? null : words.to(minute(filter.createdTo, language)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? words.noFilter : parts.join(words.comma);
}

/** A time to the minute, isolated where right-to-left text would reorder it. */
function minute(iso: string, language: Language): string {
  const text = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return directionOf(language) === 'ltr' ? text : `\u{2066}${text}\u{2069}`;
}
