import type { RequestHandler } from 'express';
import type { MountedApp } from '../mounted-app.js';
import { factsOf } from './access-log.js';
import { callerAddress } from './caller-address.js';
import { rateHeaders } from './rate-limit.js';

/**
 * Limits the public pages, which need no credentials, by the caller's address; `route` names the page in the log. All
 * pages of a group and all API processes count together. `group` and `limit` (a minute) are for what people open more
 * often than pages.
 */
export function limitPages(
  { limiter, config }: MountedApp,
  route: string,
  { group, limit } = { group: 'page', limit: config.pageRateLimitPerMinute },
): RequestHandler {
  return (req, res, next) => {
    factsOf(req).route = route;
    res.set(rateHeaders(limiter.take(`${group}:${callerAddress(req)}`, limit)));
    next();
  };
}
