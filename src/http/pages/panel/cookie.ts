import type { Request, Response } from 'express';
import { LIMITS } from '../../../lib/limits/values.js';
import type { MountedApp } from '../../mounted-app.js';

/** Browsers keep a `__Host-` cookie from other hosts and paths, but take it over https only. */
function nameOf({ config }: Pick<MountedApp, 'config'>): string {
  return isSecure(config) ? '__Host-parcelworks' : 'parcelworks';
}

function isSecure({ baseUrl }: { baseUrl: string }): boolean {
  return baseUrl.startsWith('https:');
}

/** The session's token that the browser sends, or null. */
export function readToken(app: Pick<MountedApp, 'config'>, req: Pick<Request, 'headers'>): string | null {
  const prefix = `${nameOf(app)}=`;
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) || null;
}

/** Has the browser keep a session's token; null ends it. */
export function writeToken(app: Pick<MountedApp, 'config'>, res: Response, token: string | null): void {
  res.cookie(nameOf(app), token ?? '', {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: isSecure(app.config),
    maxAge: token === null ? 0 : LIMITS.panel.sessionSeconds * 1000,
  });
}
