import type { Request } from 'express';
import type { HttpDeps } from '../api/deps.js';
import { callerAddress } from './middleware/caller-address.js';
import { RateLimiter } from './middleware/rate-limit.js';
import { createRequestLoad, type RequestLoad } from './request-load.js';

/** What the mounted parts of the HTTP application share. */
export interface MountDeps extends HttpDeps {
  /** What bounds the requests of the process together. */
  load: RequestLoad;
  /** Counts callers, together with the other API processes. */
  limiter: RateLimiter;
  /**
   * Counts a request to what is open to everybody and costs little: documents, ping, unknown routes. By address, and for
   * this process alone.
   * @throws AppError `rate_limited`
   */
  limitOpen(req: Pick<Request, 'ip'>): void;
}

/** The counters of one API process. */
export function createMountDeps(deps: HttpDeps): MountDeps {
  const open = new RateLimiter(null, deps.log);
  return {
    ...deps,
    load: createRequestLoad(deps.config),
    limiter: new RateLimiter(deps.db, deps.log),
    limitOpen(req) {
      open.take(callerAddress(req), deps.config.openRateLimitPerMinute);
    },
  };
}
