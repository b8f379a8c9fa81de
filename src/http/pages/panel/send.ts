import type { Request, Response } from 'express';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { AppError } from '../../../domain/errors.js';
import { type Html, html } from '../../../domain/html.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import { chooseLanguage } from '../tracking/language.js';
import type { PanelRequest } from './form.js';
import { type FramedPage, frame } from './layout.js';
import type { Answer, Visit } from './screen.js';
import { WORDS } from './words/words.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The language of a visitor who is not signed in. */
export function languageOf(req: Pick<Request, 'query' | 'headers'>): Language {
  return chooseLanguage(req.query.lang, req.headers['accept-language'], '');
}

/** Sends a page that no cache keeps. */
export function sendPanelPage(res: Response, status: number, page: FramedPage): void {
  sendHtml(res, status, page.language, frame(page));
}

function sendHtml(res: Response, status: number, language: Language, { text }: Html): void {
  const body = Buffer.from(text, 'utf8');
  res.status(status).set({
    'Content-Security-Policy': POLICY,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.length),
    'Content-Language': language,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    Vary: 'HX-Request-Type, Accept-Language',
  });
  res.end(body);
}

/** Sends what a screen answers: its page, the part that script asked for, or where to go next. */
export function sendAnswer(
  req: PanelRequest,
  res: Response,
  { visit, account }: { visit: Visit; account: AccountRecord | null },
  answer: Answer,
): void {
  const { language, words, user, url } = visit;
  if ('to' in answer) {
    const notice =
      answer.notice === undefined ? '' : `${answer.to.includes('?') ? '&' : '?'}notice=${answer.notice}`;
    res.redirect(303, answer.to + notice);
    return;
  }
  const { status = 200, title, main, part } = answer;
  if (part !== undefined && req.headers['hx-request-type'] === 'partial') {
    sendHtml(res, status, language, part);
    return;
  }
  const [, notice = null] =
    Object.entries(words.notices).find(([name]) => name === visit.query.get('notice')) ?? [];
  sendPanelPage(res, status, { language, title, main, path: url, notice, user, account });
}

/** What a failed request is answered with. */
export function troubleText(error: AppError, language: Language): Html {
  const { trouble, back } = WORDS[language];
  const text =
    error.status === 404
      ? trouble.missing
      : error.status === 403
        ? trouble.forbidden
        : error.status === 429
          ? trouble.tooMany
          : error.status >= 500
            ? trouble.unavailable
            : error.message;
  return html`<p class="error" dir="auto">${text}</p><p><a href="/panel">${back}</a></p>`;
}
