import { accentOn, buttonOf, isColor } from '../../domain/brand-color.js';
import { escapeHtml } from '../../domain/html.js';
import type { MailData } from '../../domain/notifications.js';
import { TEXTS } from '../../domain/recipient-words/words.js';
import { directionOf, spokenLanguage } from './wording.js';

const LINK = '#0b5cad';
const STYLE = `
  body { margin: 0; padding: 0; background: #eef1f4; color: #1d2733; }
  .page { width: 100%; background: #eef1f4; border-collapse: collapse; }
  .card { width: 100%; max-width: 600px; background: #ffffff; border-collapse: collapse; border-radius: 12px;
    overflow: hidden; }
  .head { padding: 24px 32px; border-bottom: 1px solid #e3e8ed; font-size: 18px; font-weight: bold; }
  .head img { display: block; max-height: 48px; max-width: 240px; border: 0; }
  .text { padding: 28px 32px 32px; font-size: 16px; line-height: 1.55; overflow-wrap: anywhere; }
  .foot { padding: 20px 32px; background: #f7f9fa; color: #5a6875; font-size: 13px; line-height: 1.5; }
  .foot a { color: #5a6875; white-space: nowrap; }
  h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.3; }
  h2 { margin: 24px 0 12px; font-size: 19px; }
  h3 { margin: 20px 0 8px; font-size: 16px; }
  p { margin: 0 0 14px; }
  .text a { color: ${LINK}; }
  .center { text-align: center; }
  .muted { color: #5a6875; }
  .note { padding: 12px 16px; background: #fff6dd; border-radius: 8px; }
  .note + .note { margin-top: -22px; padding-top: 4px; }
  .text a.button { display: inline-block; margin: 10px 0; padding: 13px 28px; background: ${LINK}; color: #ffffff;
    border-radius: 8px; font-weight: bold; text-decoration: none; }
  .facts { width: 100%; margin-top: 12px; border-collapse: collapse; font-size: 15px; }
  .facts td, .facts th { padding: 10px 0; border-top: 1px solid #e3e8ed; vertical-align: top; text-align: start; }
  .facts td:first-child { padding-inline-end: 20px; white-space: nowrap; width: 1%; }
  @media (max-width: 480px) { .head, .text, .foot { padding-left: 20px; padding-right: 20px; } }
`;
const FONTS = "'Noto Sans', 'Noto Sans Hebrew', 'Segoe UI', Arial, Helvetica, sans-serif";
const SAFE_LOGO = /^(?:https:\/\/|data:image\/(?:png|jpeg|gif|svg\+xml)[;,])[^\s"'<>]*$/i;

/** A rendered mail. `html` is a complete document. */
export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/**
 * A rendered body and what is around it. `why`: the reason for the mail, in its footer. `stopUrl`: where the reader stops
 * such mails.
 */
interface Framed extends RenderedMail {
  language: string;
  merchant: MailData['merchant'];
  why: string;
  stopUrl?: string;
}

/** A complete mail: the merchant's logo or name, the text, and the merchant's contact. */
export function framed(mail: Framed): RenderedMail {
  return { subject: mail.subject, html: frameHtml(mail), text: frameText(mail) };
}

function frameHtml(mail: Framed): string {
  const { language, subject, html, merchant } = mail;
  const direction = directionOf(language);
  const name = escapeHtml(merchant.name);
  const head = SAFE_LOGO.test(merchant.logo)
    ? `<img src="${escapeHtml(merchant.logo)}" alt="${name}" height="48">`
    : `<bdi>${name}</bdi>`;
  const cell = (className: string, content: string) =>
    `<tr><td class="${className}" dir="${direction}" align="${direction === 'rtl' ? 'right' : 'left'}">${content}</td></tr>`;
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}${colorStyle(merchant.color)}</style>
</head>
<body dir="${direction}" style="font-family: ${FONTS}">
<table class="page" role="presentation"><tbody><tr><td align="center" style="padding: 24px 12px">
<table class="card" role="presentation" style="font-family: ${FONTS}"><tbody>
${cell('head', head)}
${cell('text', html)}
${cell('foot', footHtml(mail))}
</tbody></table>
</td></tr></tbody></table>
</body>
</html>
`;
}

/** The same as plain text. */
function frameText({ language, text, merchant, why, stopUrl }: Framed): string {
  const contacts = [merchant.email, merchant.phone].filter((contact) => contact !== '');
  const questions = contacts.length === 0 ? [] : [`${questionsIn(language)} ${contacts.join(', ')}`];
  const stop = stopUrl === undefined ? [] : [`${stopIn(language)}: ${stopUrl}`];
  return `${[text, '-- ', ...questions, why, ...stop].join('\n')}\n`;
}

function questionsIn(language: string): string {
  return TEXTS[spokenLanguage(language)].contact;
}

function stopIn(language: string): string {
  return TEXTS[spokenLanguage(language)].mails.stop;
}

/** The merchant's color on white; the mail declares a light color scheme. */
function colorStyle(color: string): string {
  if (!isColor(color)) return '';
  const { ground, ink } = buttonOf(color);
  return `  .head { border-top: 4px solid ${ground}; }
  .text a { color: ${accentOn(color, '#ffffff', 0).ink}; }
  .text a.button { background: ${ground}; color: ${ink}; }
`;
}

function footHtml({ language, merchant, why, stopUrl }: Framed): string {
  const link = (href: string, text: string) =>
    `<a href="${escapeHtml(href)}"><bdi>${escapeHtml(text)}</bdi></a>`;
  const contacts = [
    ...(merchant.email === '' ? [] : [link(`mailto:${merchant.email}`, merchant.email)]),
    ...(merchant.phone === '' ? [] : [link(`tel:${merchant.phone}`, merchant.phone)]),
  ];
  const questions = contacts.length === 0 ? '' : `${questionsIn(language)} ${contacts.join(' · ')}<br>`;
  const stop = stopUrl === undefined ? '' : `<br>${link(stopUrl, stopIn(language))}`;
  return `${questions}${escapeHtml(why)}${stop}`;
}
