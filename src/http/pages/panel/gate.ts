import type { Request } from 'express';
import { AppError } from '../../../domain/errors.js';
import { LIMITS } from '../../../lib/limits/values.js';
import type { Limit } from '../../auth/admission.js';
import type { MountedApp } from '../../mounted-app.js';

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

/**
 * Counts a try to prove to be a user, before it is checked: parallel guesses would pass together. `failures`: of the
 * address. @throws AppError `rate_limited`
 */
export function countTry({ limiter }: Pick<MountedApp, 'limiter'>, email: string, failures: Limit): void {
  limiter.take(`panel:${email.trim().toLowerCase().slice(0, 255)}`, LIMITS.panel.signInsOfUser);
  limiter.take(failures.key, failures.perMinute);
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
