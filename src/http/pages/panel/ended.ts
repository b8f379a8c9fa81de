import type { Request, Response } from 'express';
import { type Html, html } from '../../../domain/html.js';
import { failuresOf } from '../../auth/admission.js';
import type { MountedApp } from '../../mounted-app.js';
import { type PanelRequest, readSentForm, type SentForm } from './form.js';
import { field } from './layout.js';
import { alertLine } from './parts.js';
import type { Screen } from './screen.js';
import { languageOf, sendBarePage } from './send.js';
import { signInPath } from './way-back.js';
import { filled, WORDS } from './words/words.js';

/**
 * Answers a request whose session has ended. A page leads to the sign-in and from there back to itself. A form comes
 * back with all its fields, to be sent again after a sign-in in another tab: nothing that was typed is lost. Script is
 * told by the status, and leaves its page as it is.
 */
export async function answerEnded(
  app: MountedApp,
  req: PanelRequest,
  res: Response,
  { takesFile }: Pick<Screen, 'takesFile'>,
): Promise<void> {
  if (req.headers['hx-request'] !== undefined) {
    res.status(401).set('Cache-Control', 'no-store').end();
    return;
  }
  if (req.method === 'GET' || req.method === 'HEAD') {
    res.redirect(303, signInPath(req.originalUrl));
    return;
  }
  const caller = failuresOf(req, app).key;
  const form = await readSentForm(app, req, res, { caller, takesFile: takesFile === true });
  const { ended: texts } = WORDS[languageOf(req)];
  const main = html`${alertLine(texts.nothingLost)}
<p><a class="button" href="/panel/sign-in" target="_blank">${texts.signIn}</a></p>
${sendAgain(req, form)}`;
  sendBarePage(req, res, { status: 401, title: texts.title, main, isTranslated: false });
}

/** The form that was sent, to be sent again under its key as it is. A file is to be chosen again: no page can hold it. */
export function sendAgain(
  req: Pick<Request, 'originalUrl' | 'query' | 'headers'>,
  { fields, file }: SentForm,
): Html {
  const { ended: texts } = WORDS[languageOf(req)];
  const hidden = [...fields]
    .filter(([name]) => name !== file?.field)
    .map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
    );
  if (file === null) {
    return html`<form method="post" action="${req.originalUrl}">
${hidden}<button class="second">${texts.sendAgain}</button>
</form>`;
  }
  const label = filled(texts.chooseAgain, { file: file.name });
  return html`<form method="post" enctype="multipart/form-data" action="${req.originalUrl}">
${hidden}${field(file.field, label, { type: 'file', required: true })}
<button class="second">${texts.sendAgain}</button>
</form>`;
}
