import { randomUUID } from 'node:crypto';
import { Html, html } from '../../../domain/html.js';
import { takeTurn } from '../../../services/panel/sent-forms.js';
import { sessionOf } from '../../../services/panel/sessions.js';
import type { MountedApp } from '../../mounted-app.js';
import type { PanelRequest } from './form.js';
import { isOurs } from './gate.js';
import type { Answer, Screen, ScreenPage, Visit } from './screen.js';

/** Paths of forms that may be sent as often as one likes, since they change nothing; of some only with such fields. */
const WITHOUT_EFFECT = new Map<string, (form: URLSearchParams) => boolean>([
  ['/a/:account/shipments/labels', (form) => form.get('all') === null],
  ['/a/:account/shipments/:uuid/label', () => true],
  ['/a/:account/scan', (form) => form.get('mode') === 'open'],
  ['/a/:account/shipments/chosen', () => true],
  ['/a/:account/shipments/slips', () => true],
  ['/a/:account/shipments/picks', () => true],
  ['/a/:account/shipments/cancel', (form) => form.get('answer') === null],
  ['/a/:account/shipments/filled', () => true],
  ['/attention/chosen', () => true],
  ['/attention', (form) => form.get('answer') === null],
  ['/a/:account/licenses/:license/check', () => true],
  ['/a/:account/licenses/:license/webhook-url', () => true],
  ['/a/:account/notifications/templates/new/preview', () => true],
  ['/a/:account/notifications/templates/:template/preview', () => true],
]);

/**
 * Gives each form its key. The frame does it, where pages are sent: a screen cannot
 * forget it.
 */
export function withKeys(text: string): string {
  return text.replaceAll(
    /<form method="post"[^>]*>/g,
    (tag) => `${tag}<input type="hidden" name="key" value="${randomUUID()}">`,
  );
}

/** Whether a form changes nothing, so that it may be sent as often as one likes. `path`: of its screen. */
export function isWithoutEffect(path: string, form: URLSearchParams): boolean {
  return WITHOUT_EFFECT.get(path)?.(form) === true;
}

/**
 * Carries a form out once: sent again, at the same time or later, it gets the first answer again. A refused or failed
 * one may be sent again, as it is or corrected.
 */
export async function once(
  req: PanelRequest,
  visit: Visit,
  screen: Pick<Screen, 'path'>,
  act: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const { app, user, form, words } = visit;
  if (isWithoutEffect(screen.path, form)) return await act();
  const key = form.get('key') ?? '';
  if (!/^[\w-]{16,64}$/.test(key)) return trouble(visit, req, { status: 422, text: words.sentForms.noKey });
  const content = [...form].filter(([name]) => name !== 'key').map(([name, value]) => [name, value]);
  const sent = { userId: user.id, key, path: req.originalUrl, content: JSON.stringify(content) };
  const gone = new AbortController();
  req.res?.once('close', () => gone.abort());
  const turn = await visit.whileWaiting(() => takeTurn(app, sent, gone.signal));
  if (turn.kind === 'again') {
    const answer = answerOf(turn.answer);
    return turn.isSame ? await repeated(visit, answer) : other(visit, req, answer);
  }
  let answer: Answer;
  try {
    answer = await act();
  } catch (error) {
    await turn.free();
    throw error;
  }
  if ('pieces' in answer || ('title' in answer && (answer.status ?? 200) >= 400)) await turn.free();
  // The act stays done: its answer is sent even where it cannot be kept.
  else await turn.keep(textOf(answer)).catch(app.onTrouble);
  return answer;
}

function textOf(answer: Answer): string {
  return JSON.stringify(answer, (_name, value: unknown) =>
    value instanceof Html ? { markup: value.text } : value,
  );
}

function answerOf(text: string): Answer {
  const answer: unknown = JSON.parse(text, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && 'markup' in value && typeof value.markup === 'string'
      ? new Html(value.markup)
      : value,
  );
  if (isAnswer(answer)) return answer;
  throw new Error('The kept answer to a form is not one.');
}

/** Only what {@link textOf} has made comes here, sealed. */
function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && ('to' in value || 'main' in value);
}

/** The first answer; without its session where that has ended: the browser may have a newer one. */
async function repeated({ app }: Visit, answer: Answer): Promise<Answer> {
  if (!('session' in answer) || answer.session === undefined) return answer;
  if ((await sessionOf(app, answer.session)) !== null) return answer;
  const { session: _ended, ...rest } = answer;
  return rest;
}

/** Tells what came of the form before its content was changed. */
function other(visit: Visit, req: PanelRequest, answer: Answer): ScreenPage {
  const { sentForms: texts, notices } = visit.words;
  if ('pieces' in answer) return trouble(visit, req, { status: 409, text: texts.other });
  const outcome =
    'to' in answer
      ? html`<p>${texts.outcome} <a href="${answer.to}">${answer.notice === undefined ? texts.look : notices[answer.notice]}</a></p>`
      : html`<p>${texts.outcome} ${answer.title}</p>`;
  return trouble(visit, req, { status: 409, text: texts.other, more: outcome });
}

function trouble(
  { app, words }: Visit,
  req: PanelRequest,
  { status, text, more = null }: { status: number; text: string; more?: Html | null },
): ScreenPage {
  return {
    status,
    title: words.trouble.title,
    main: html`<p class="error" role="alert">${text}</p>
${more}
<p><a class="button" href="${pageBefore(app, req)}">${words.sentForms.anew}</a></p>`,
  };
}

/** The page of ours that the form stood in; the first page where the browser does not say it. */
function pageBefore(app: MountedApp, req: PanelRequest): string {
  const { referer = '' } = req.headers;
  const page = URL.canParse(referer) ? new URL(referer) : null;
  if (page === null || !isOurs(app, req, page) || !page.pathname.startsWith('/panel/')) return '/panel';
  return page.pathname + page.search;
}
