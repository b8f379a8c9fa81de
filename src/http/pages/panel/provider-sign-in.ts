import type { RequestHandler, Response, Router } from 'express';
import { describeError } from '../../../api/errors.js';
import type { PanelProvider } from '../../../config/panel-provider.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import {
  beginAtProvider,
  openBegun,
  type ProviderRefusal,
  proofOf,
  sealBegun,
} from '../../../services/panel/provider.js';
import { signInProven } from '../../../services/panel/sign-in.js';
import { failuresOf } from '../../auth/admission.js';
import { factsOf } from '../../middleware/access-log.js';
import type { MountedApp } from '../../mounted-app.js';
import { readCookie, writeCookie } from './cookie.js';
import type { PanelRequest, Params } from './form.js';
import { languageOf } from './send.js';
import { named, showSignIn, visitorOf } from './sign-in.js';
import { ownPage } from './way-back.js';
import { filled, WORDS } from './words/words.js';

/** The status of each refusal. */
const REFUSALS = { stale: 400, unproven: 400, denied: 403, unverified: 403, unknown: 403, away: 503 };

const CALLBACK = '/panel/sign-in/callback';

/** Sign-in at the OpenID provider, where one is configured. */
export function mountProviderSignIn(router: Router, app: MountedApp): void {
  const provider = app.config.panelProvider;
  if (provider === null) return;
  // A link and no form: a page's policy `form-action 'self'` also stops the redirect that answers a form.
  router.get<Params>('/sign-in/provider', named('GET /panel/sign-in/provider'), begin(app, provider));
  router.get<Params>('/sign-in/callback', named(`GET ${CALLBACK}`), finish(app, provider));
}

function begin(app: MountedApp, provider: PanelProvider): RequestHandler<Params> {
  return async (req, res) => {
    const { key, perMinute } = failuresOf(req, app);
    app.limiter.take(key, perMinute);
    const language = languageOf(req);
    const asked = {
      provider,
      backTo: app.config.baseUrl + CALLBACK,
      language,
      isAgain: req.query.again !== undefined || readCookie(app, req, 'out') !== null,
      to: ownPage(req.query.to) ?? '',
    };
    const answer = await app.load.gate.whileWaiting(req, key, () => beginAtProvider(app, asked));
    if (answer.kind === 'refused') {
      refuse(app, req, res, language, answer);
      return;
    }
    writeCookie(app, res, 'provider', sealBegun(answer.begun, app.config.appKeys));
    res.redirect(303, answer.to);
  };
}

function finish(app: MountedApp, provider: PanelProvider): RequestHandler<Params> {
  return async (req, res) => {
    const { key, perMinute } = failuresOf(req, app);
    app.limiter.take(key, perMinute);
    const begun = openBegun(readCookie(app, req, 'provider') ?? '', app.config.appKeys);
    const address = new URL(app.config.baseUrl + CALLBACK);
    address.search = new URL(req.originalUrl, address).search;
    // The cookie stays: another window may be on its way with it.
    if (begun === null || address.searchParams.get('state') !== begun.state) {
      refuse(app, req, res, begun?.language ?? languageOf(req), { why: 'stale' });
      return;
    }
    writeCookie(app, res, 'provider', null);
    const { language } = begun;
    const proof = await app.load.gate.whileWaiting(req, key, () =>
      proofOf(app, { provider, begun, address }),
    );
    if (proof.kind === 'refused') {
      refuse(app, req, res, language, proof);
      return;
    }
    const token = await signInProven(app, { email: proof.email, language }, visitorOf(req));
    if (token === null) {
      refuse(app, req, res, language, { why: 'unknown' });
      return;
    }
    writeCookie(app, res, 'session', token);
    writeCookie(app, res, 'out', null);
    res.redirect(303, ownPage(begun.to) ?? '/panel');
  };
}

/**
 * Shows the sign-in again, with the reason above it. Logs what an administrator has to mend: a provider that does not
 * answer, or settings that it refuses.
 */
function refuse(
  app: MountedApp,
  req: PanelRequest,
  res: Response,
  language: Language,
  refusal: Pick<ProviderRefusal, 'error' | 'providerCode'> & { why: keyof typeof REFUSALS },
): void {
  const { why, error: cause, providerCode } = refusal;
  const facts = factsOf(req);
  facts.errorCode = `sign_in_${why}`;
  if (cause !== undefined && why !== 'denied') {
    app.log.warn(
      { requestId: facts.requestId, why, providerCode, error: describeError(cause) },
      'sign-in at the provider failed',
    );
  }
  const error = filled(WORDS[language].signIn[why], { provider: app.config.panelProvider?.name ?? '' });
  const isAgain = why === 'unknown' || why === 'unverified';
  showSignIn(app, req, res, { language, error, isAgain, status: REFUSALS[why] });
}
