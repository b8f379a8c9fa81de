import type { Request, Response } from 'express';
import { type Html, html } from '../../../domain/html.js';
import { failuresOf } from '../../auth/admission.js';
import type { MountedApp } from '../../mounted-app.js';
import { type PanelRequest, readForm } from './form.js';
import { alertLine } from './parts.js';
import { languageOf, sendBarePage } from './send.js';
import { signInPath } from './way-back.js';
import { WORDS } from './words/words.js';

/**
 * Answers a request whose session has ended. A page leads to the sign-in and from there back to itself. A form comes
 * back with all its fields, to be sent again after a sign-in in another tab: nothing that was typed is lost. Script is
 * told by the status, and leaves its page as it is.
 */
export async function answerEnded(app: MountedApp, req: PanelRequest, res: Response): Promise<void> {
  if (req.headers['hx-request'] !== undefined) {
    res.status(401).set('Cache-Control', 'no-store').end();
    return;
  }
  if (req.method === 'GET' || req.method === 'HEAD') {
    res.redirect(303, signInPath(req.originalUrl));
    return;
  }
  const form = await readForm(app, req, res, failuresOf(req, app).key);
  const { ended: texts } = WORDS[languageOf(req)];
  const main = html`${alertLine(texts.nothingLost)}
<p><a class="button" href="/panel/sign-in" target="_blank">${texts.signIn}</a></p>
${sendAgain(req, form)}`;
  sendBarePage(req, res, { status: 401, title: texts.title, main, isTranslated: false });
}

/** The form that was sent, to be sent again under its key as it is. */
export function sendAgain(
  req: Pick<Request, 'originalUrl' | 'query' | 'headers'>,
  form: URLSearchParams,
): Html {
  const fields = [...form].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return html`<form method="post" action="${req.originalUrl}">
${fields}<button class="second">${WORDS[languageOf(req)].ended.sendAgain}</button>
</form>`;
}
