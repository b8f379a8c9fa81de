import type { Request, Response } from 'express';
import { cookieNamed } from './cookie.js';
import type { Visit } from './screen.js';

/** Kept by the browser until it is closed, for the pages of one account's shipments; `panel.js` writes it too. */
const COOKIE = 'parcelworks-chosen';

/** Row ids of shipments as one short text. */
export function textOfIds(ids: readonly number[]): string {
  return ids.map((id) => id.toString(36)).join('.');
}

/** The ids of {@link textOfIds}; what is none is left out. */
export function idsOfText(text: string): number[] {
  const ids = text.split('.').map((part) => (/^[0-9a-z]{1,10}$/.test(part) ? Number.parseInt(part, 36) : 0));
  return [...new Set(ids.filter((id) => id > 0))];
}

/** The shipments that the browser keeps as ticked: those of its last user are nobody else's. */
export function keptIds(req: Pick<Request, 'headers'>, userId: number): number[] {
  const [user, ...ids] = (cookieNamed(req, COOKIE) ?? '').split('.');
  return user === String(userId) ? idsOfText(ids.join('.')) : [];
}

/** Has the browser keep shipments of the account as ticked. Script may read them: they name nothing secret. */
export function keepIds(
  { app, user }: Pick<Visit, 'app' | 'user'>,
  res: Response,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): void {
  res.cookie(COOKIE, `${user.id}.${textOfIds(ids)}`, {
    sameSite: 'lax',
    path: keptBelow(accountId),
    secure: app.config.baseUrl.startsWith('https:'),
  });
}

/** The path below which the browser keeps the ticks of an account. */
export function keptBelow(accountId: number): string {
  return `/panel/a/${accountId}/shipments`;
}
