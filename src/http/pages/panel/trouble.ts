import type { Request, Response } from 'express';
import type { AppError } from '../../../domain/errors.js';
import { type Html, html } from '../../../domain/html.js';
import { failuresOf } from '../../auth/admission.js';
import type { MountedApp } from '../../mounted-app.js';
import { sendAgain } from './ended.js';
import { readSentForm } from './form.js';
import { languageOf, sendBarePage, troubleText } from './send.js';
import { WORDS } from './words/words.js';

/**
 * Answers a request that has failed. A form that other input would not mend comes back with all its fields, to be sent
 * again: nothing that was typed is lost.
 */
export async function showTrouble(
  app: MountedApp,
  req: Request,
  res: Response,
  error: AppError,
): Promise<void> {
  const language = languageOf(req);
  const { title } = WORDS[language].trouble;
  const form = await keptForm(app, req, res, error).catch(() => null);
  const main = html`${troubleText(error, language)}
${form}`;
  const isTranslated = form === null;
  sendBarePage(req, res, { status: error.status, language, title, main, isTranslated });
}

/** Null where nothing is to be sent again: a page, what holds a password. */
async function keptForm(
  app: MountedApp,
  req: Request,
  res: Response,
  { status }: AppError,
): Promise<Html | null> {
  const isOurs = status >= 500 || status === 429;
  if (!isOurs || req.method !== 'POST' || !/^\/panel\/(?!sign-|invitation)/.test(req.originalUrl))
    return null;
  const { trouble: texts } = WORDS[languageOf(req)];
  // It was refused before its body arrived, which an overloaded process does not take; the browser still has it.
  if (!app.load.gate.isAdmitted(req)) return html`<p>${texts.reload}</p>`;
  const reading = { caller: failuresOf(req, app).key, takesFile: true };
  const form = await readSentForm(app, req, res, reading);
  if ([...form.fields].length === 0) return null;
  return html`<p>${texts.kept}</p>
${sendAgain(req, form)}`;
}
