import type { Request, Response } from 'express';
import { LIMITS } from '../../../lib/limits/values.js';
import type { MountedApp } from '../../mounted-app.js';

const COLUMNS_KEPT_SECONDS = 31_536_000;

/** The panel's cookies with their names, and for how long browsers keep them. */
const COOKIES = {
  /** The token of a session. */
  session: { name: 'parcelworks', seconds: LIMITS.panel.sessionSeconds },
  /** The sealed sign-in that has begun at the OpenID provider. */
  provider: { name: 'parcelworks-provider', seconds: LIMITS.panel.providerSeconds },
  /** The last person here has signed out: the OpenID provider, which still knows that person, asks who it is. */
  out: { name: 'parcelworks-out', seconds: COLUMNS_KEPT_SECONDS },
  /** The columns of the list of shipments: names of letters, with dots between. */
  columns: { name: 'parcelworks-columns', seconds: COLUMNS_KEPT_SECONDS },
  /** The first free slot of the A4 sheet that was printed last, from 1: the browser is where the printer is. */
  slot: { name: 'parcelworks-slot', seconds: COLUMNS_KEPT_SECONDS },
};
type Cookie = keyof typeof COOKIES;

function isSecure({ config }: Pick<MountedApp, 'config'>): boolean {
  return config.baseUrl.startsWith('https:');
}

/** Browsers keep a `__Host-` cookie from other hosts and paths, but take it over https only. */
function nameOf(app: Pick<MountedApp, 'config'>, cookie: Cookie): string {
  const { name } = COOKIES[cookie];
  return isSecure(app) ? `__Host-${name}` : name;
}

/** The value of a cookie; null where the browser keeps none. */
export function readCookie(
  app: Pick<MountedApp, 'config'>,
  req: Pick<Request, 'headers'>,
  cookie: Cookie,
): string | null {
  return cookieNamed(req, nameOf(app, cookie));
}

/** The value of a cookie; null where it is missing or empty. */
export function cookieNamed({ headers }: Pick<Request, 'headers'>, name: string): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || null;
}

/** Has the browser keep a value; null has it forget the present one. */
export function writeCookie(
  app: Pick<MountedApp, 'config'>,
  res: Response,
  cookie: Cookie,
  value: string | null,
): void {
  res.cookie(nameOf(app, cookie), value ?? '', {
    httpOnly: true,
    // Not strict: the way back from an OpenID provider begins at another site.
    sameSite: 'lax',
    path: '/',
    secure: isSecure(app),
    maxAge: value === null ? 0 : COOKIES[cookie].seconds * 1000,
  });
}
