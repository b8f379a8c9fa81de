import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { AppError } from '../../../domain/errors.js';
import { type Html, html } from '../../../domain/html.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import { copy } from '../copy.js';
import { chooseLanguage } from '../tracking/language.js';
import { writeColumns, writeToken } from './cookie.js';
import type { PanelRequest } from './form.js';
import { type FramedPage, frame } from './layout.js';
import type { Answer, ScreenFile, Visit } from './screen.js';
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

/** Sends a file that no cache keeps. @throws ClientGone if the user leaves before the end */
async function sendPieces(
  { method }: Pick<PanelRequest, 'method'>,
  res: Response,
  { filename, contentType, pieces }: ScreenFile,
): Promise<void> {
  res.set({
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${filename}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'no-store',
  });
  if (method === 'HEAD') res.end();
  else await copy(Readable.from(pieces), res);
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
    await gate.whileSending(req, `panel:${user.id}`, () => sendPieces(req, res, answer));
    return;
  }
  if (answer.session !== undefined) writeToken(app, res, answer.session);
  if ('to' in answer) {
    const notice =
      answer.notice === undefined ? '' : `${answer.to.includes('?') ? '&' : '?'}notice=${answer.notice}`;
    if (answer.columns !== undefined) writeColumns(app, res, answer.columns);
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

/** Leads a visitor without a session to the sign-in. */
export function leadToSignIn(req: Pick<Request, 'headers'>, res: Response): void {
  // Script follows a redirect by itself and would put the sign-in into a part of the page.
  if (req.headers['hx-request'] === undefined) res.redirect(303, '/panel/sign-in');
  else res.set('HX-Redirect', '/panel/sign-in').status(204).end();
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
