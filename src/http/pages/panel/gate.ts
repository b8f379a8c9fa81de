import type { Request } from 'express';
import { AppError } from '../../../domain/errors.js';
import { problem } from '../../../domain/problems/problem.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { failuresOf, type Limit } from '../../auth/admission.js';
import { callerAddress } from '../../middleware/caller-address.js';
import { rateLimited } from '../../middleware/rate-limit.js';
import type { MountedApp } from '../../mounted-app.js';

/** Whether an address is of this service, by the name that the browser has for us or by that of a proxy. */
export function isOurs(
  { config }: Pick<MountedApp, 'config'>,
  req: Pick<Request, 'host'>,
  { host }: URL,
): boolean {
  return host === req.host || host === new URL(config.baseUrl).host;
}

/**
 * Refuses a change that another site's page has sent. Browsers name the sender in `Sec-Fetch-Site`, old ones only in
 * `Origin`. @throws AppError `forbidden`
 */
export function refuseForeign(app: Pick<MountedApp, 'config'>, req: Pick<Request, 'headers' | 'host'>): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const isFromUs =
    site === undefined
      ? origin === undefined || (URL.canParse(origin) && isOurs(app, req, new URL(origin)))
      : site === 'same-origin' || site === 'none';
  if (!isFromUs) throw new AppError('forbidden', problem('other_form'));
}

/** Who wants to prove to be a user, and from where. `failures`: wrong tries of the address. */
interface Trying {
  email: string;
  address: string;
  failures: Limit;
}

/** The tries of a request to be the user with an e-mail. */
export function tryingOf(
  app: Pick<MountedApp, 'config'>,
  { email, ip }: { email: string; ip: string | undefined },
): Trying {
  return { email, address: callerAddress({ ip }), failures: failuresOf({ ip }, app) };
}

/**
 * Makes a try to prove to be a user. Only a wrong one counts, for its e-mail at the address, for the e-mail anywhere, and
 * for the address. All that are under way count too, since parallel guesses would pass together. A wrong one is a result
 * of which `isWrong` says so, or a refusal of the field `current`. @throws AppError `rate_limited`
 */
export async function countWrong<T>(
  { limiter, stillChecked }: Pick<MountedApp, 'limiter' | 'stillChecked'>,
  { email, address, failures }: Trying,
  attempt: () => Promise<T>,
  isWrong: (result: T) => boolean = () => false,
): Promise<T> {
  const blocked = limiter.blocked(failures.key, failures.perMinute);
  if (blocked !== null && stillChecked.take() === null) throw rateLimited(blocked);
  const name = `panel:${email.trim().toLowerCase().slice(0, 255)}`;
  const endHere = limiter.hold(`${name} ${address}`, LIMITS.panel.signInsOfUser);
  let end = endHere;
  let hasFailed = false;
  try {
    const endAnywhere = limiter.hold(name, LIMITS.panel.signInsOfEmail);
    end = (isCounted) => {
      endHere(isCounted);
      endAnywhere(isCounted);
    };
    const result = await attempt();
    hasFailed = isWrong(result);
    return result;
  } catch (error) {
    hasFailed = error instanceof AppError && error.fields?.current !== undefined;
    throw error;
  } finally {
    end(hasFailed);
    if (hasFailed) limiter.charge(failures.key, failures.perMinute, 1);
  }
}
