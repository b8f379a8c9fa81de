import type { Request } from 'express';
import { AppError } from '../../../domain/errors.js';

/**
 * Refuses a change that another site's page has sent. Browsers name the sender in `Sec-Fetch-Site`; old ones only in
 * `Origin`. @throws AppError `forbidden`
 */
export function refuseForeign(req: Pick<Request, 'headers' | 'host'>): void {
  const site = req.headers['sec-fetch-site'];
  const { origin } = req.headers;
  const isOurs =
    site === undefined
      ? origin === undefined || hostOf(origin) === req.host
      : site === 'same-origin' || site === 'none';
  if (!isOurs) throw new AppError('forbidden', 'The form was sent by another site.');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
