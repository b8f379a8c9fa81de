import type { ExportFilter } from '../../domain/exports.js';
import { type Html, html } from '../../domain/html.js';
import type { MailData } from '../../domain/notifications.js';
import type { Language } from '../../domain/recipient-words/language.js';
import { STATUS_WORDS } from '../../domain/status-words.js';
import { israelDayEnd, israelDayOf, israelDayStart } from '../../lib/israel-time.js';
import { EXPORT_WORDS, type ExportWords } from './export-words.js';
import { framed, type RenderedMail } from './frame.js';
import { directionOf, languageOf, shouts, spokenLanguage } from './wording.js';

/** Content of an export's mail. Times are ISO 8601 UTC. */
export interface ExportMailData {
  /** The account's locale; English where we lack its language. */
  locale: string;
  accountName: string;
  merchant: MailData['merchant'];
  /** Null over all licenses. */
  licenseName: string | null;
  createdAt: string;
  filter: ExportFilter;
  /** Shipments in the whole export. */
  rowCount: number;
  filename: string;
  /** Null when the file is attached. */
  link: ExportMailLink | null;
}

/** Link to a file that is too large for a mail, and its expiry. */
export interface ExportMailLink {
  url: string;
  expiresAt: string;
}

/** Renders the mail with an export or its link. Merchants' texts are escaped. */
export function renderExportMail(mailData: ExportMailData): RenderedMail {
  const language = spokenLanguage(languageOf(mailData.locale));
  const words = EXPORT_WORDS[language];
  const { link } = mailData;
  const hello = words.hello(mailData.accountName);
  const news = link === null ? words.attached : words.linked(minute(link.expiresAt, language));
  const rows = rowsOf(mailData, language);
  const named = words.subject(mailData.licenseName ?? words.allLicenses);
  const subject = shouts(named) ? words.title : named;
  // No contact lines: the reader is the merchant.
  const merchant = { ...mailData.merchant, email: '', phone: '' };
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
  return framed({ language, subject, html: body.text, text, merchant, why: words.why });
}

function button(words: ExportWords, { url }: ExportMailLink): Html {
  return html`<p class="center"><a class="button" href="${url}">${words.download}</a></p>`;
}

function rowsOf(mailData: ExportMailData, language: Language): readonly [label: string, value: string][] {
  const { labels, allLicenses } = EXPORT_WORDS[language];
  return [
    [labels.license, mailData.licenseName ?? allLicenses],
    [labels.shipments, mailData.rowCount.toLocaleString('en-US')],
    [labels.asked, minute(mailData.createdAt, language)],
    [labels.filters, filterText(mailData.filter, language)],
    [labels.file, mailData.filename],
  ];
}

function filterText(filter: ExportFilter, language: Language): string {
  const words = EXPORT_WORDS[language];
  const parts = [
    filter.active === undefined ? null : filter.active ? words.active.yes : words.active.no,
    filter.type === undefined ? null : words.type[filter.type],
    filter.status === undefined ? null : words.status(STATUS_WORDS[language][filter.status]),
    filter.labelGenerated === undefined ? null : filter.labelGenerated ? words.label.yes : words.label.no,
    filter.createdFrom === undefined ? null : words.from(bound(filter.createdFrom, israelDayStart, language)),
    filter.createdTo === undefined ? null : words.to(bound(filter.createdTo, israelDayEnd, language)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? words.noFilter : parts.join(words.comma);
}

/** A bound of the filter: the day where it is one of Israel's, as the panel asks, else the moment. */
function bound(iso: string, of: typeof israelDayStart, language: Language): string {
  const day = israelDayOf(iso);
  return of(day) === iso ? isolated(day, language) : minute(iso, language);
}

/** A time to the minute. */
function minute(iso: string, language: Language): string {
  return isolated(`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`, language);
}

/** A text that right-to-left words around it would reorder. */
function isolated(text: string, language: Language): string {
  return directionOf(language) === 'ltr' ? text : `\u{2066}${text}\u{2069}`;
}
