import type { RequestHandler, Response, Router } from 'express';
import { AppError } from '../../../domain/errors.js';
import { type Html, html } from '../../../domain/html.js';
import type { FieldErrors } from '../../../domain/problems/problem.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import { newTotpSecret } from '../../../services/panel/proofs.js';
import { endSessions, type Visitor } from '../../../services/panel/sessions.js';
import {
  acceptInvitation,
  invitedUser,
  LEAST_PASSWORD,
  MOST_PASSWORD,
  signIn,
} from '../../../services/panel/sign-in.js';
import { failuresOf } from '../../auth/admission.js';
import { factsOf } from '../../middleware/access-log.js';
import { callerAddress } from '../../middleware/caller-address.js';
import type { MountedApp } from '../../mounted-app.js';
import { requestSession } from './admission.js';
import { writeCookie } from './cookie.js';
import { type PanelRequest, type Params, readForm } from './form.js';
import { countWrong, tryingOf } from './gate.js';
import { field } from './layout.js';
import { alertLine } from './parts.js';
import { actorOf } from './screen.js';
import { authenticatorFields, recoveryCodes } from './second-factor.js';
import { languageOf, sendBarePage } from './send.js';
import { toldFields } from './told.js';
import { ownPage, signInPath } from './way-back.js';
import { filled, WORDS } from './words/words.js';

/** Sign-in, sign-out and invitations, the only pages of the panel without a session. */
export function mountSignIn(router: Router, app: MountedApp): void {
  router.get<Params>('/sign-in', named('GET /panel/sign-in'), (req, res) => showSignIn(app, req, res));
  router.post<Params>('/sign-in', named('POST /panel/sign-in'), takeSignIn(app));
  router.post<Params>('/sign-out', named('POST /panel/sign-out'), takeSignOut(app));
  router.get<Params>('/invitation/:token', named('GET /panel/invitation/{token}'), async (req, res) => {
    app.limiter.take(failuresOf(req, app).key, app.config.authFailuresPerMinute);
    await showInvitation(app, req, res, { secret: newTotpSecret() });
  });
  router.post<Params>('/invitation/:token', named('POST /panel/invitation/{token}'), takeInvitation(app));
}

/** Names the route of a page without a session, for the log. */
export function named(route: string): RequestHandler<Params> {
  return (req, _res, next) => {
    factsOf(req).route = route;
    next();
  };
}

/** Where a request without a session comes from. */
export function visitorOf(req: PanelRequest): Visitor {
  return { address: callerAddress(req), browser: req.headers['user-agent'] ?? '' };
}

interface ShownSignIn {
  email?: string;
  error?: string;
  status?: number;
  language?: Language;
  /** Whether the OpenID provider is to ask for another identity. */
  isAgain?: boolean;
  /** The page to come back to. */
  to?: unknown;
}

/** Shows the sign-in, with an error above it. */
export function showSignIn(
  app: Pick<MountedApp, 'config'>,
  req: PanelRequest,
  res: Response,
  {
    email = '',
    error,
    status,
    language = languageOf(req),
    isAgain = false,
    to = req.query.to,
  }: ShownSignIn = {},
): void {
  const words = WORDS[language];
  const { signIn: texts } = words;
  const isOut = req.query.notice === 'signedOut';
  const main = html`${error === undefined ? null : alertLine(error)}
${providerLink(app, { language, isAgain, to })}
<form method="post" action="${signInPath(to, { query: { lang: language } })}" class="narrow">
${field('email', words.email, { type: 'email', value: email, ltr: true, required: true, autocomplete: 'username' })}
${field('password', texts.password, { type: 'password', ltr: true, required: true, autocomplete: 'current-password' })}
${field('code', texts.code, { hint: texts.codeHint, ltr: true, required: true, autocomplete: 'one-time-code', inputmode: 'text', maxlength: 20 })}
<button>${texts.submit}</button>
</form>`;
  const notice = isOut ? words.notices.signedOut : null;
  sendBarePage(req, res, { status, language, title: texts.title, main, notice });
}

function providerLink(
  { config: { panelProvider } }: Pick<MountedApp, 'config'>,
  { language, isAgain, to }: Required<Pick<ShownSignIn, 'language' | 'isAgain'>> & Pick<ShownSignIn, 'to'>,
): Html | null {
  if (panelProvider === null) return null;
  const { atProvider, anotherIdentity, orPassword } = WORDS[language].signIn;
  const text = filled(isAgain ? anotherIdentity : atProvider, { provider: panelProvider.name });
  const query = { lang: language, ...(isAgain ? { again: '' } : {}) };
  return html`<p><a class="button" href="${signInPath(to, { path: '/panel/sign-in/provider', query })}">${text}</a></p>
<p>${orPassword}</p>`;
}

function takeSignIn(app: MountedApp): RequestHandler<Params> {
  return async (req, res) => {
    const failures = failuresOf(req, app);
    const form = await readForm(app, req, res, failures.key);
    const [email = '', password = '', code = ''] = ['email', 'password', 'code'].map(
      (name) => form.get(name) ?? '',
    );
    const trying = tryingOf(app, { email, ip: req.ip });
    const attempt = () => signIn(app, { email, password, code }, visitorOf(req));
    const result = await countWrong(app, trying, attempt, (made) => 'why' in made);
    if ('why' in result) {
      const texts = WORDS[languageOf(req)].signIn;
      const error = result.why === 'wrong' ? texts.wrong : texts.noMoreCodes;
      showSignIn(app, req, res, { email, error, status: 401 });
      return;
    }
    writeCookie(app, res, 'session', result.token);
    res.redirect(303, ownPage(req.query.to) ?? '/panel');
  };
}

function takeSignOut(app: MountedApp): RequestHandler<Params> {
  return async (req, res) => {
    const session = await requestSession(app, req);
    if (session !== null) {
      const { user, id } = session;
      const actor = actorOf({ user, visitor: visitorOf(req) });
      await endSessions({ ...app, actor }, user, 'panel-users.sign-out', { only: id });
    }
    writeCookie(app, res, 'session', null);
    if (app.config.panelProvider !== null) writeCookie(app, res, 'out', '1');
    res.redirect(303, '/panel/sign-in?notice=signedOut');
  };
}

async function showInvitation(
  app: MountedApp,
  req: PanelRequest,
  res: Response,
  { secret, fields = {}, status }: { secret: string; fields?: FieldErrors; status?: number },
): Promise<void> {
  const user = await invitedUser(app, req.params.token ?? '');
  const language = languageOf(req);
  const words = WORDS[language];
  const { invitation: texts } = words;
  const shown = toldFields(words, fields);
  const main = html`<form method="post" action="?lang=${language}" class="narrow">
<p>${texts.intro}</p>
<input type="email" name="email" value="${user.email}" autocomplete="username" hidden>
${field('password', texts.password, { type: 'password', hint: texts.passwordHint, error: shown.password?.[0], ltr: true, required: true, autocomplete: 'new-password', minlength: LEAST_PASSWORD, maxlength: MOST_PASSWORD })}
${authenticatorFields(words, { secret, email: user.email, error: shown.code?.[0] })}
<button>${texts.submit}</button>
</form>`;
  sendBarePage(req, res, { status, title: texts.title, main });
}

function takeInvitation(app: MountedApp): RequestHandler<Params> {
  return async (req, res) => {
    const form = await readForm(app, req, res, failuresOf(req, app).key);
    const [password = '', secret = '', code = ''] = ['password', 'secret', 'code'].map(
      (name) => form.get(name) ?? '',
    );
    const given = { token: req.params.token ?? '', password, secret, code, language: languageOf(req) };
    try {
      app.limiter.take(failuresOf(req, app).key, app.config.authFailuresPerMinute);
      const { token, recoveryCodes: codes } = await acceptInvitation(app, given, visitorOf(req));
      writeCookie(app, res, 'session', token);
      const words = WORDS[given.language];
      const main = recoveryCodes(words, { codes, next: '/panel' });
      sendBarePage(req, res, { title: words.invitation.recovery, main });
    } catch (error) {
      if (!(error instanceof AppError) || error.fields === undefined) throw error;
      await showInvitation(app, req, res, { secret, fields: error.fields, status: error.status });
    }
  };
}
