import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { type AccountRecord, findAccount } from '../../../db/queries/accounts/accounts.js';
import { notFound } from '../../../domain/errors.js';
import { may } from '../../../domain/panel-roles.js';
import { DAY_SECONDS } from '../../../lib/time.js';
import { factsOf } from '../../middleware/access-log.js';
import { callerAddress } from '../../middleware/caller-address.js';
import type { MountedApp } from '../../mounted-app.js';
import { assetOf, compressed, sendAsset } from '../asset.js';
import { troubleHandler } from '../send-page.js';
import { admission, requestSession } from './admission.js';
import { keptIds } from './chosen.js';
import { readCookie } from './cookie.js';
import { answerEnded } from './ended.js';
import { type PanelRequest, type Params, readSentForm } from './form.js';
import { refuseForeign } from './gate.js';
import { liveParts } from './live.js';
import { once } from './once.js';
import { operationsOf } from './operations.js';
import { mountProviderSignIn } from './provider-sign-in.js';
import { type AccountVisit, type Answer, actorOf, type Screen, type Visit } from './screen.js';
import { SCREENS } from './screens.js';
import { sendAnswer, speak } from './send.js';
import { mountSignIn } from './sign-in.js';
import { showTrouble } from './trouble.js';
import { WORDS } from './words/words.js';

/** Seen from the compiled file: these assets are not compiled, so they are read where they lie in the source. */
const ASSET_FILES = new URL('../../../../../src/http/pages/panel/assets/', import.meta.url);
const ASSET_TYPES = {
  'panel.css': 'text/css',
  'panel.js': 'text/javascript',
  'store-frame.js': 'text/javascript',
};
/** With the extension that follows streams. */
const HTMX = ['htmx.min.js', 'ext/hx-sse.min.js'].map((name) =>
  createRequire(import.meta.url).resolve(`htmx.org/dist/${name}`),
);

/** `/panel`: pages for operators and merchants. What fails in them is for {@link panelTrouble}. */
export function panelRouter(app: MountedApp): Router {
  const router = Router({ caseSensitive: true });
  mountAssets(router, app);
  router.use((req, res, next) => {
    // Helmet's `no-referrer` has browsers send `Origin: null` with our own forms.
    res.set('Referrer-Policy', 'same-origin');
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseForeign(app, req);
    next();
  });
  router.use(admission(app));
  mountSignIn(router, app);
  mountProviderSignIn(router, app);
  for (const one of SCREENS) router[one.method](one.path, handler(app, one));
  mountLive(router, app);
  router.use(() => {
    throw notFound('page');
  });
  return router;
}

/** Answers what failed below `/panel` with a page, also where the process was too busy to let the request in. */
export function panelTrouble(app: MountedApp): ErrorRequestHandler {
  return troubleHandler(app, (req, res, error) => void showTrouble(app, req, res, error));
}

function mountAssets(router: Router, app: MountedApp): void {
  router.use('/assets', (req, _res, next) => {
    app.limitOpen(req);
    next();
  });
  for (const [name, type] of Object.entries(ASSET_TYPES)) {
    const load = () => assetOf(`${type}; charset=utf-8`, readFileSync(new URL(name, ASSET_FILES)));
    router.get(`/assets/${name}`, sendAsset(load));
  }
  router.get(
    '/assets/htmx.js',
    sendAsset(
      async () =>
        await compressed(
          'text/javascript; charset=utf-8',
          HTMX.map((path) => readFileSync(path, 'utf8')).join('\n'),
        ),
      DAY_SECONDS,
    ),
  );
}

/** Below `/live` each page's part that changes by itself, as a stream. */
function mountLive(router: Router, app: MountedApp): void {
  const live = liveParts(app);
  for (const one of SCREENS.filter(({ method }) => method === 'get')) {
    const path = `/live${one.path}`;
    router.get<Params>(
      path,
      live((req, res) => {
        factsOf(req).route = `GET /panel${path}`;
        return () => open(app, one, req, res);
      }),
    );
  }
}

/** All steps of a request to a screen. */
function handler(app: MountedApp, screen: Screen): RequestHandler<Params> {
  return async (req, res) => {
    factsOf(req).route = `${screen.method.toUpperCase()} /panel${screen.path}`;
    const opened = await open(app, screen, req, res);
    if (opened === null) await answerEnded(app, req, res, screen);
    else await sendAnswer(req, res, opened, opened.answer);
  };
}

interface Opened {
  visit: Visit;
  /** Null for a screen of the whole service. */
  account: AccountRecord | null;
  answer: Answer;
}

/** The screen's answer to a user who may see it; null without a session. @throws AppError `not_found` */
async function open(
  app: MountedApp,
  screen: Screen,
  req: PanelRequest,
  res: Response,
): Promise<Opened | null> {
  const visit = await visitOf(app, req, res, screen);
  if (visit === null) return null;
  if (!may(visit.user.role, screen.right)) throw notFound('page');
  const answerTo = async (show: () => Answer | Promise<Answer>) =>
    screen.method === 'post' ? await once(req, visit, screen, show) : await show();
  if (screen.scope === 'service') {
    return { visit, account: null, answer: await answerTo(() => screen.show(visit)) };
  }
  const own = await accountVisit(visit, !req.originalUrl.startsWith('/panel/live/'));
  const { account } = own;
  factsOf(req).accountId = account.id;
  return { visit, account, answer: await answerTo(() => screen.show(own)) };
}

/** The visit of a user who is signed in; null for anybody else. */
async function visitOf(
  app: MountedApp,
  req: PanelRequest,
  res: Response,
  { takesFile }: Screen,
): Promise<Visit | null> {
  const session = await requestSession(app, req);
  if (session === null) return null;
  const client = `panel:${session.user.id}`;
  const { language } = session.user;
  speak(req, language);
  const sent = await readSentForm(app, req, res, { caller: client, takesFile: takesFile === true });
  return {
    app,
    session,
    user: session.user,
    visitor: { address: callerAddress(req), browser: req.headers['user-agent'] ?? '' },
    words: WORDS[language],
    language,
    params: req.params,
    query: new URL(req.originalUrl, 'http://panel').searchParams,
    form: sent.fields,
    file: sent.file,
    columns: readCookie(app, req, 'columns')?.split('.') ?? [],
    nextSlot: Number(readCookie(app, req, 'slot') ?? 1),
    kept: keptIds(req, session.user.id),
    url: req.originalUrl.replace(/^\/panel\/live\//, '/panel/'),
    whileWaiting: (wait) => app.load.gate.whileWaiting(req, client, wait),
  };
}

/** The visit to an account of the path; another one than the user's own is missing. */
async function accountVisit(visit: Visit, isCounted: boolean): Promise<AccountVisit> {
  const { app, user, params, whileWaiting } = visit;
  const id = Number(params.account);
  const isSeen = Number.isSafeInteger(id) && (user.accountId === null || user.accountId === id);
  const account = isSeen ? await findAccount(app.db, id) : null;
  if (account === null) throw notFound('page');
  return {
    ...visit,
    account,
    call: operationsOf(app, { account, actor: actorOf(visit), whileWaiting, isCounted }),
  };
}
