import type { Request, Response } from 'express';
import type { PanelSession } from '../../../db/queries/accounts/panel-sessions.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { sessionOf } from '../../../services/panel/sessions.js';
import type { MountedApp } from '../../mounted-app.js';

type Cookie = 'parcelworks' | 'parcelworks-provider' | 'parcelworks-columns';

/** Browsers keep a `__Host-` cookie from other hosts and paths, but take it over https only. */
function nameOf({ config }: Pick<MountedApp, 'config'>, cookie: Cookie): string {
  return isSecure(config) ? `__Host-${cookie}` : cookie;
}

function isSecure({ baseUrl }: { baseUrl: string }): boolean {
  return baseUrl.startsWith('https:');
}

function read(app: Pick<MountedApp, 'config'>, req: Pick<Request, 'headers'>, cookie: Cookie): string | null {
  const prefix = `${nameOf(app, cookie)}=`;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) || null;
}

interface Kept {
  value: string | null;
  seconds: number;
}

function write(
  app: Pick<MountedApp, 'config'>,
  res: Response,
  cookie: Cookie,
  { value, seconds }: Kept,
): void {
  res.cookie(nameOf(app, cookie), value ?? '', {
    httpOnly: true,
    // Not strict: the way back from an OpenID provider begins at another site.
    sameSite: 'lax',
    path: '/',
    secure: isSecure(app.config),
    maxAge: value === null ? 0 : seconds * 1000,
  });
}

/** The open session whose token the browser sends, which counts as used now; null without one. */
export async function requestSession(
  app: Pick<MountedApp, 'config' | 'db'>,
  req: Pick<Request, 'headers'>,
): Promise<PanelSession | null> {
  const token = read(app, req, 'parcelworks');
  return token === null ? null : await sessionOf(app, token);
}

/** Has the browser keep a session's token; null ends it. */
export function writeToken(app: Pick<MountedApp, 'config'>, res: Response, value: string | null): void {
  write(app, res, 'parcelworks', { value, seconds: LIMITS.panel.sessionSeconds });
}

/** The sealed sign-in that the browser has begun at the OpenID provider, or null. */
export function readBegun(app: Pick<MountedApp, 'config'>, req: Pick<Request, 'headers'>): string | null {
  return read(app, req, 'parcelworks-provider');
}

/** Has the browser keep a sealed sign-in until it comes back from the OpenID provider; null ends it. */
export function writeBegun(app: Pick<MountedApp, 'config'>, res: Response, value: string | null): void {
  write(app, res, 'parcelworks-provider', { value, seconds: LIMITS.panel.providerSeconds });
}

/** The columns that the browser keeps for the list of shipments; none where it keeps none. */
export function readColumns(app: Pick<MountedApp, 'config'>, req: Pick<Request, 'headers'>): string[] {
  return read(app, req, 'parcelworks-columns')?.split('.') ?? [];
}

/** Has the browser keep the columns of the list of shipments. `columns`: names of letters. */
export function writeColumns(
  app: Pick<MountedApp, 'config'>,
  res: Response,
  columns: readonly string[],
): void {
  write(app, res, 'parcelworks-columns', {
    value: columns.join('.'),
    seconds: LIMITS.panel.columnsKeptSeconds,
  });
}
