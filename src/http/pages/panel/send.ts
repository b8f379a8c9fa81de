import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { AppError } from '../../../domain/errors.js';
import { type Html, html } from '../../../domain/html.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { sendFile } from '../send-file.js';
import { chooseLanguage } from '../tracking/language.js';
import { keepIds } from './chosen.js';
import { writeCookie } from './cookie.js';
import type { PanelRequest } from './form.js';
import { frame } from './frame.js';
import { withKeys } from './once.js';
import type { Answer, Visit } from './screen.js';
import { toldError } from './told.js';
import { filled, WORDS } from './words/words.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Languages of users who are signed in, by their requests. */
const readers = new WeakMap<object, Language>();

/** Has whatever answers the request speak the language of its user. */
export function speak(req: Pick<Request, 'query' | 'headers'>, language: Language): void {
  readers.set(req, language);
}

/** The language of the visitor: of the user where one is signed in. */
export function languageOf(req: Pick<Request, 'query' | 'headers'>): Language {
  return readers.get(req) ?? chooseLanguage(req.query.lang, req.headers['accept-language'], '');
}

interface BarePage {
  status?: number | undefined;
  language?: Language;
  title: string;
  main: Html;
  notice?: string | null;
  /** Whether the same page comes in another language when it is asked for. Default: yes. */
  isTranslated?: boolean;
}

/** Sends a page to a visitor who is not signed in. */
export function sendBarePage(
  req: Pick<Request, 'query' | 'headers' | 'originalUrl'>,
  res: Response,
  page: BarePage,
): void {
  const { status = 200, language = languageOf(req), title, main, notice = null, isTranslated = true } = page;
  const path = req.originalUrl;
  const whole = frame({ language, title, main, path, notice, user: null, account: null, isTranslated });
  sendHtml(res, status, language, whole.text);
}

/** Sends a page, or a part of one, that no cache keeps. */
function sendHtml(res: Response, status: number, language: Language, text: string): void {
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
export async function sendAnswer(
  req: PanelRequest,
  res: Response,
  { visit, account }: { visit: Visit; account: AccountRecord | null },
  answer: Answer,
): Promise<void> {
  const { app, language, words, user, url } = visit;
  if ('pieces' in answer) {
    const { gate } = app.load;
    const { pieces, ...file } = answer;
    const sent = { ...file, content: Readable.from(pieces), headers: { 'Cache-Control': 'no-store' } };
    await gate.whileSending(req, `panel:${user.id}`, () => sendFile(req, res, sent));
    return;
  }
  if (answer.session !== undefined) writeCookie(app, res, 'session', answer.session);
  if (answer.kept !== undefined && account !== null) {
    keepIds(visit, res, { accountId: account.id, ids: answer.kept });
  }
  if ('to' in answer) {
    const notice =
      answer.notice === undefined ? '' : `${answer.to.includes('?') ? '&' : '?'}notice=${answer.notice}`;
    if (answer.columns !== undefined) writeCookie(app, res, 'columns', answer.columns.join('.'));
    if (answer.nextSlot !== undefined) writeCookie(app, res, 'slot', String(answer.nextSlot));
    // Script follows a redirect by itself and would put the page into a part of this one.
    if (req.headers['hx-request-type'] === 'partial') {
      res
        .set('HX-Redirect', answer.to + notice)
        .status(204)
        .end();
    } else res.redirect(303, answer.to + notice);
    return;
  }
  const { status = 200, title, main, part } = answer;
  if (part !== undefined && req.headers['hx-request-type'] === 'partial') {
    sendHtml(res, status, language, withKeys(part.text));
    return;
  }
  const [, notice = null] =
    Object.entries(words.notices).find(([name]) => name === visit.query.get('notice')) ?? [];
  const whole = frame({ language, title, main, path: url, notice, user, account, isTranslated: false });
  sendHtml(res, status, language, withKeys(whole.text));
}

/** The answer to a failed request, and the way back. */
export function troubleText(error: AppError, language: Language): Html {
  return html`${troubleLine(error, language)}<p><a href="/panel">${WORDS[language].back}</a></p>`;
}

/** The answer to a failed request. */
export function troubleLine(error: AppError, language: Language): Html {
  const { trouble } = WORDS[language];
  const text =
    error.status === 404
      ? trouble.missing
      : error.status === 403 && error.problem.rule === undefined
        ? trouble.forbidden
        : error.status === 413
          ? filled(trouble.tooLarge, {
              mib: LIMITS.imports.fileBytes / 1024 / 1024,
              orders: LIMITS.batches.items,
              kib: LIMITS.panel.formBytes / 1024,
            })
          : error.status === 429
            ? filled(trouble.tooMany, { seconds: error.headers['Retry-After'] ?? 60 })
            : error.status >= 500
              ? trouble.unavailable
              : toldError(WORDS[language], error);
  return html`<p class="error" dir="auto">${text}</p>`;
}
