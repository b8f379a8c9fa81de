import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { PanelSession } from '../../../db/queries/accounts/panel-sessions.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { sessionOf } from '../../../services/panel/sessions.js';
import { Admission, type Limit } from '../../auth/admission.js';
import { callerAddress } from '../../middleware/caller-address.js';
import type { MountedApp } from '../../mounted-app.js';
import { readCookie } from './cookie.js';
import type { Params } from './form.js';

type Asking = Pick<Request, 'headers'>;

/** The sessions of admitted requests that nobody has asked for yet. */
const admitted = new WeakMap<Asking, PanelSession | null>();

/**
 * Counts each request of the panel before anything else is done for it: by user with a session, else by address. An
 * address over its limit is refused without a statement; users who were there recently still get in from it.
 */
export function admission(app: MountedApp): RequestHandler<Params> {
  const sessions = new Admission<PanelSession>(app.limiter, limitOf);
  return async (req, _res, next) => {
    const address = {
      key: `panel-address:${callerAddress(req)}`,
      perMinute: app.config.openRateLimitPerMinute,
    };
    const token = readCookie(app, req, 'session');
    const session =
      token === null ? null : await sessions.lookUp(digest(token), address, () => sessionOf(app, token));
    const { key, perMinute } = session === null ? address : limitOf(session);
    app.limiter.take(key, perMinute);
    app.load.gate.claim(req, session === null ? `address:${callerAddress(req)}` : `panel:${session.user.id}`);
    admitted.set(req, session);
    next();
  };
}

function limitOf({ user }: PanelSession): Limit {
  return { key: `panel-user:${user.id}`, perMinute: LIMITS.panel.requestsOfUser };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** The open session whose token the browser sends, which counts as used now; null without one. A later call looks again. */
export async function requestSession(
  app: Pick<MountedApp, 'config' | 'db'>,
  req: Asking,
): Promise<PanelSession | null> {
  const known = admitted.get(req);
  admitted.delete(req);
  if (known !== undefined) return known;
  const token = readCookie(app, req, 'session');
  return token === null ? null : await sessionOf(app, token);
}
