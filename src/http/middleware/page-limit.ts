import type { RequestHandler } from 'express';
import type { HttpDeps } from '../../api/deps.js';
import { factsOf } from './access-log.js';
import { callerAddress } from './caller-address.js';
import { RateLimiter, rateHeaders, rateLimited } from './rate-limit.js';

/**
 * Limits the public pages, which ask for no credentials, by the caller's address: `route` names the page in the log.
 * All pages of a group and all API processes count together. `group` and `limit` (a minute) are for what people
 * open more often than pages.
 */
export function limitPages(
  deps: HttpDeps,
  route: string,
  { group, limit } = { group: 'page', limit: deps.config.pageRateLimitPerMinute },
): RequestHandler {
  const limiter = new RateLimiter(deps.db, deps.log);
  return async (req, res, next) => {
    factsOf(req).route = route;
    const key = `${group}:${callerAddress(req)}`;
    const state = limiter.blocked(key, limit) ?? (await limiter.hit(key, limit));
    if (state.exceeded) throw rateLimited(state);
    res.set(rateHeaders(state));
    next();
  };
}
