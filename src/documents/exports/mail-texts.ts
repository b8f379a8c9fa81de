import type { ExportFilter } from '../../domain/exports.js';
import { escapeHtml } from '../../domain/html.js';
import { statusWords } from './status-words.js';

/** What is said in an export's mail. `created` and the like are ISO 8601 UTC. */
export interface ExportMailFacts {
  /** The account's; Hebrew for `he`, English for every other. */
  locale: string;
  accountName: string;
  licenseName: string;
  createdAt: string;
  filter: ExportFilter;
  /** Shipments in the whole export. */
  rowCount: number;
  filename: string;
  /** Null where the file is attached. */
  link: ExportLinkFacts | null;
}

/** Where a file that is too large for a mail is, and until when. */
export interface ExportLinkFacts {
  url: string;
  expiresAt: string;
}

interface Words {
  language: string;
  direction: 'ltr' | 'rtl';
  subject(rows: string, license: string): string;
  greeting(name: string): string;
  attached: string;
  linked(until: string): string;
  download: string;
  labels: { license: string; shipments: string; asked: string; filters: string; file: string };
  noFilter: string;
  active: { yes: string; no: string };
  type: { 1: string; 2: string };
  status(name: string): string;
  from(moment: string): string;
  to(moment: string): string;
  keep: string;
}

const ENGLISH: Words = {
  language: 'en',
  direction: 'ltr',
  subject: (rows, license) => `Your shipment export: ${rows} (${license})`,
  greeting: (name) => `Hello ${name},`,
  attached: 'The export you asked for is ready. The file is attached.',
  linked: (until) =>
    `The export you asked for is ready. The file is too large for a mail: download it with the link, which works until ${until}.`,
  download: 'Download the file',
  labels: {
    license: 'License',
    shipments: 'Shipments',
    asked: 'Asked for',
    filters: 'Filters',
    file: 'File',
  },
  noFilter: 'none: all shipments',
  active: { yes: 'active only', no: 'inactive only' },
  type: { 1: 'deliveries', 2: 'collections' },
  status: (name) => `status ${name}`,
  from: (moment) => `created from ${moment}`,
  to: (moment) => `created until ${moment}`,
  keep: 'The file holds personal data of your customers. Keep it safe, and delete it when you no longer need it.',
};

const HEBREW: Words = {
  language: 'he',
  direction: 'rtl',
  subject: (rows, license) => `ייצוא המשלוחים שלך: ${rows} (${license})`,
  greeting: (name) => `שלום ${name},`,
  attached: 'הייצוא שביקשת מוכן. הקובץ מצורף להודעה זו.',
  linked: (until) =>
    `הייצוא שביקשת מוכן. הקובץ גדול מדי להודעת דוא"ל: אפשר להוריד אותו בקישור, שיפעל עד ${leftToRight(until)}.`,
  download: 'הורדת הקובץ',
  labels: { license: 'רישיון', shipments: 'משלוחים', asked: 'התבקש', filters: 'סינון', file: 'קובץ' },
  noFilter: 'ללא: כל המשלוחים',
  active: { yes: 'פעילים בלבד', no: 'לא פעילים בלבד' },
  type: { 1: 'מסירות', 2: 'איסופים' },
  status: (name) => `סטטוס ${name}`,
  from: (moment) => `נוצרו החל מ־${leftToRight(moment)}`,
  to: (moment) => `נוצרו עד ${leftToRight(moment)}`,
  keep: 'הקובץ מכיל פרטים אישיים של לקוחותיך. יש לשמור עליו, ולמחוק אותו כשאין בו עוד צורך.',
};

/** Keeps a moment in its order within Hebrew. */
function leftToRight(text: string): string {
  return `\u{2066}${text}\u{2069}`;
}

/** Subject, text and HTML of an export's mail. Nothing that a merchant wrote is taken as HTML. */
export function exportMailTexts(facts: ExportMailFacts): { subject: string; text: string; html: string } {
  const words = facts.locale.startsWith('he') ? HEBREW : ENGLISH;
  const { link } = facts;
  const rows = countOf(words, facts.rowCount);
  const lines = [
    words.greeting(facts.accountName),
    link === null ? words.attached : words.linked(minute(link.expiresAt)),
  ];
  const table: [string, string][] = [
    [words.labels.license, facts.licenseName],
    [words.labels.shipments, facts.rowCount.toLocaleString('en-US')],
    [words.labels.asked, minute(facts.createdAt)],
    [words.labels.filters, filterText(words, facts.filter)],
    [words.labels.file, facts.filename],
  ];
  return {
    subject: words.subject(rows, facts.licenseName),
    text: [
      ...[...lines, ...(link === null ? [] : [link.url])].flatMap((line) => [line, '']),
      ...table.map(([label, value]) => `${label}: ${value}`),
      '',
      words.keep,
      '',
    ].join('\n'),
    html: page(words, { title: rows, lines, table, url: link?.url ?? null }),
  };
}

function countOf(words: Words, count: number): string {
  const number = count.toLocaleString('en-US');
  if (words.language === 'he') return count === 1 ? 'משלוח אחד' : `${number} משלוחים`;
  return count === 1 ? '1 shipment' : `${number} shipments`;
}

function filterText(words: Words, filter: ExportFilter): string {
  const parts = [
    filter.active === undefined ? null : filter.active ? words.active.yes : words.active.no,
    filter.type === undefined ? null : words.type[filter.type],
    filter.status === undefined ? null : words.status(statusWords(filter.status, words.language)),
    filter.createdFrom === undefined ? null : words.from(minute(filter.createdFrom)),
    filter.createdTo === undefined ? null : words.to(minute(filter.createdTo)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? words.noFilter : parts.join(', ');
}

function minute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

interface MailPage {
  title: string;
  lines: readonly string[];
  table: readonly [string, string][];
  /** Of the button; null for none. */
  url: string | null;
}

function page(words: Words, { title, lines, table, url }: MailPage): string {
  const start = words.direction === 'rtl' ? 'right' : 'left';
  const cells = table.map(
    ([label, value]) =>
      `<tr><th style="padding:6px 0;text-align:${start};font-weight:400;color:#5b6472;white-space:nowrap;vertical-align:top">${escapeHtml(label)}</th><td style="padding:6px 16px;text-align:${start};color:#16202e"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  );
  const paragraphs = lines.map((line) => `<p style="margin:0 0 14px">${escapeHtml(line)}</p>`);
  const button =
    url === null
      ? ''
      : `<p style="margin:0 0 14px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 24px;background:#0b3b66;color:#fff;border-radius:8px;text-decoration:none">${escapeHtml(words.download)}</a></p>`;
  return `<!doctype html>
<html lang="${words.language}" dir="${words.direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f2f4f7;font:15px/1.55 -apple-system,'Segoe UI',Roboto,Arial,sans-serif;color:#16202e">
<div style="max-width:560px;margin:0 auto;background:#fff;border:1px solid #e1e5eb;border-radius:10px;padding:28px;text-align:${start}">
<h1 style="margin:0 0 18px;font-size:22px;line-height:1.25;color:#0b3b66">${escapeHtml(title)}</h1>
${paragraphs.join('\n')}
${button}
<table role="presentation" dir="${words.direction}" style="width:100%;border-collapse:collapse;border-top:1px solid #e1e5eb;border-bottom:1px solid #e1e5eb;margin:18px 0">${cells.join('')}</table>
<p style="margin:0;font-size:13px;color:#5b6472">${escapeHtml(words.keep)}</p>
</div>
</body>
</html>
`;
}
