import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { HttpDeps } from '../api/deps.js';
import { parseJson } from '../api/json-body.js';
import { type CheckedRequest, type Reply, type RequestBody, type Route, takesBody } from '../api/route.js';
import type { AuthRecord, LicenseSummary } from '../db/queries/accounts.js';
import { AppError } from '../domain/errors.js';
import { selectLicense, selectLicenses } from '../domain/license.js';
import { nowIso } from '../lib/time.js';
import { authenticate, invalidCredentials, readCredentials } from './auth/authenticate.js';
import { matchesEtag, weakEtag } from './etag.js';
import { factsOf } from './middleware/access-log.js';
import { callerAddress } from './middleware/caller-address.js';
import { RateLimiter, rateHeaders, rateLimited } from './middleware/rate-limit.js';
import { refuseAnnounced } from './raw-body.js';
import type { RequestLoad } from './request-load.js';

/** Largest body of a route that names no other, in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** A router with the routes, and 405 with `Allow` for every other method on their paths. */
export function mountRoutes(routes: readonly Route[], deps: HttpDeps, load: RequestLoad): express.Router {
  const router = express.Router({ caseSensitive: true });
  const limiter = new RateLimiter(deps.db, deps.log);
  const byPath = new Map<string, Route[]>();
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  for (const [path, own] of [...byPath].sort(([one], [other]) => literalFirst(one, other))) {
    const allowed = own.flatMap(({ method }) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    for (const route of own) router[route.method](expressPath(path), handler(route, deps, limiter, load));
    router.all(expressPath(path), refuseMethod(allowed));
  }
  return router;
}

/** A path with a parameter also matches literal ones, which have methods of their own, and so comes after them. */
function literalFirst(one: string, other: string): number {
  const [first, second] = [one, other].map((path) => path.replaceAll('{', '\uffff'));
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

/** Answers 405 with the methods that the path has. */
export function refuseMethod(allowed: readonly string[]): RequestHandler {
  return (_req: Request, _res: Response, next: NextFunction) => {
    next(
      new AppError('method_not_allowed', 'The method is not allowed on this route.', {
        headers: { Allow: allowed.join(', ') },
      }),
    );
  };
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function handler(route: Route, deps: HttpDeps, limiter: RateLimiter, load: RequestLoad): RequestHandler {
  const limitBytes = route.bodyLimitBytes ?? BODY_LIMIT_BYTES;
  return async (req, res) => {
    factsOf(req).route = `${route.method.toUpperCase()} ${route.path}`;
    const headerValues = (name: string) => req.headersDistinct[name] ?? [];
    refuseAnnounced(req, limitBytes);
    const auth = route.public ? null : await identify(req, headerValues, deps, limiter);
    if (auth !== null) await admit(auth, res, deps, limiter);
    const caller = auth === null ? `address:${callerAddress(req)}` : `account:${auth.accountId}`;
    const body = takesBody(route)
      ? await readBody(req, await load.bodies.read(req, res, { limitBytes, caller }), route)
      : NO_BODY;
    const request: CheckedRequest = {
      url: req.originalUrl,
      headers: req.headers,
      headerValues,
      params: req.params,
      query: req.query,
      body: body.value,
      unsafeTexts: body.unsafeTexts,
      fingerprint: body.fingerprint ?? '',
      accountId: auth?.accountId ?? 0,
      licenses: selectFor(route, auth, req.query, body.value),
      whileWaiting: (wait) => load.gate.whileWaiting(req, wait),
    };
    send(req, res, route, await route.execute(request, deps), deps);
  };
}

const NO_BODY: RequestBody = { value: undefined, unsafeTexts: [] };

/** Who calls, by the credentials. An address with too many failures waits first. */
async function identify(
  req: Request,
  headerValues: (name: string) => readonly string[],
  deps: HttpDeps,
  limiter: RateLimiter,
): Promise<AuthRecord> {
  const { authFailuresPerMinute, appKey } = deps.config;
  const credentials = readCredentials(headerValues);
  const addressKey = `address:${callerAddress(req)}`;
  const blocked = limiter.blocked(addressKey, authFailuresPerMinute);
  if (blocked !== null) throw rateLimited(blocked);
  const auth = await authenticate(deps.db, appKey, credentials);
  if (auth === null) {
    const failures = await limiter.hit(addressKey, authFailuresPerMinute);
    throw failures.exceeded ? rateLimited(failures) : invalidCredentials();
  }
  factsOf(req).accountId = auth.accountId;
  return auth;
}

/** Counts the request and sets the rate headers. @throws AppError `rate_limited`. */
async function admit(auth: AuthRecord, res: Response, deps: HttpDeps, limiter: RateLimiter): Promise<void> {
  const state = await limiter.hit(`client:${auth.accountId}`, deps.config.rateLimitPerMinute);
  if (state.exceeded) throw rateLimited(state);
  res.set(rateHeaders(state));
}

async function readBody(req: Request, bytes: Buffer, route: Route): Promise<RequestBody> {
  if (bytes.length === 0 && route.bodyOptional) return { value: {}, unsafeTexts: [] };
  if (bytes.length > 0 && !isPlainJson(req)) {
    throw new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  }
  return route.readBody === undefined ? parseJson(bytes) : await route.readBody(bytes, req.query);
}

function isPlainJson(req: Request): boolean {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  const encoding = req.headers['content-encoding'] ?? 'identity';
  const charsets = parameters.map((text) => text.trim()).filter((text) => text.startsWith('charset='));
  return (
    type.trim() === 'application/json' &&
    encoding.toLowerCase() === 'identity' &&
    charsets.every((text) => /^charset="?utf-?8"?$/.test(text))
  );
}

function selectFor(
  route: Route,
  auth: AuthRecord | null,
  query: Record<string, unknown>,
  body: unknown,
): LicenseSummary[] {
  if (auth === null || route.license === 'none') return [];
  const named = licenseKeyOf(route, query, body);
  const key = named === null ? undefined : named;
  // A key of another type is a matter of validation, which comes next and refuses it.
  if (key !== undefined && typeof key !== 'string') return [];
  if (route.license === 'one') return [selectLicense(auth.licenses, key, nowIso())];
  return selectLicenses(auth.licenses, key, nowIso());
}

/**
 * From the query where the body has no room for it. Elsewhere the body alone says: it is what a key's fingerprint is of,
 * and a second licence beside it would be answered with the first one's shipment.
 */
function licenseKeyOf(route: Route, query: Record<string, unknown>, body: unknown): unknown {
  if (!takesBody(route) || Array.isArray(body)) return query.license_key;
  return typeof body === 'object' && body !== null && 'license_key' in body ? body.license_key : undefined;
}

function send(req: Request, res: Response, route: Route, reply: Reply, deps: HttpDeps): void {
  const { bytes } = reply;
  const text = bytes === undefined ? textOf(reply) : undefined;
  if (deps.checkResponses && bytes === undefined) route.checkResponse(reply.status, text);
  res.status(reply.status).set(reply.headers ?? {});
  if (route.method === 'get' && reply.status === 200) {
    const etag = bytes === undefined ? weakEtag(text ?? '') : `"${bytes.etag}"`;
    res.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
    if (matchesEtag(req.headers['if-none-match'], etag)) {
      res.status(304).end();
      return;
    }
  } else {
    res.set('Cache-Control', 'no-store');
  }
  if (bytes !== undefined) sendBytes(res, bytes.type, bytes.body);
  else if (text === undefined) res.end();
  else sendJson(res, text);
}

function textOf(reply: Reply): string | undefined {
  return reply.text ?? (reply.json === undefined ? undefined : JSON.stringify(reply.json));
}

/** Sends JSON text byte for byte; a HEAD request gets the headers alone. */
export function sendJson(res: Response, text: string): void {
  sendBytes(res, 'application/json; charset=utf-8', Buffer.from(text, 'utf8'));
}

function sendBytes(res: Response, type: string, body: Buffer): void {
  res.set({ 'Content-Type': type, 'Content-Length': String(body.length) });
  res.end(body);
}
