import type { Request } from 'express';
import type { HttpApp } from '../api/http-app.js';
import { callerAddress } from './middleware/caller-address.js';
import { RateLimiter } from './middleware/rate-limit.js';
import { createRequestLoad, type RequestLoad } from './request-load.js';

/** What the mounted parts of the HTTP application share. */
export interface MountedApp extends HttpApp {
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
export function createMountedApp(app: HttpApp): MountedApp {
  const open = new RateLimiter(null, app.log);
  return {
    ...app,
    load: createRequestLoad(app.config),
    limiter: new RateLimiter(app.db, app.log),
    limitOpen(req) {
      open.take(callerAddress(req), app.config.openRateLimitPerMinute);
    },
  };
}
