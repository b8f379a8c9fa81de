import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { parseJson } from '../api/json-body.js';
import {
  type BodyRequest,
  type CheckedRequest,
  type Reply,
  type RequestBody,
  type Route,
  takesBody,
} from '../api/route.js';
import type { AuthRecord, LicenseSummary } from '../db/queries/accounts.js';
import { AppError } from '../domain/errors.js';
import { selectLicense, selectLicenses } from '../domain/license.js';
import { shortened } from '../lib/text.js';
import { nowIso } from '../lib/time.js';

import { matchesEtag, weakEtag } from './etag.js';
import { factsOf, noteShipment } from './middleware/access-log.js';
import { callerAddress } from './middleware/caller-address.js';
import type { MountedApp } from './mounted-app.js';
import { refuseAnnounced } from './raw-body.js';
import { V2Callers } from './v2/callers.js';

/** Largest body of a route that names no other, in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** A router with the routes, and 405 with `Allow` for every other method on their paths. */
export function mountRoutes(routes: readonly Route[], app: MountedApp): express.Router {
  const router = express.Router({ caseSensitive: true });
  const callers = new V2Callers(app);
  const byPath = new Map<string, Route[]>();
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  for (const [path, own] of [...byPath].sort(([one], [other]) => literalFirst(one, other))) {
    const allowed = own.flatMap(({ method }) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    for (const route of own) router[route.method](expressPath(path), handler(route, app, callers));
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

function handler(route: Route, app: MountedApp, callers: V2Callers): RequestHandler {
  const limitBytes = route.bodyLimitBytes ?? BODY_LIMIT_BYTES;
  const { gate, bodies } = app.load;
  return async (req, res) => {
    factsOf(req).route = `${route.method.toUpperCase()} ${route.path}`;
    refuseAnnounced(req, limitBytes);
    if (route.public) app.limitOpen(req);
    const auth = route.public ? null : await callers.identify(req, { licenses: route.license !== 'none' });
    if (auth !== null) callers.admit(auth, req, res);
    const caller = auth === null ? `address:${callerAddress(req)}` : `account:${auth.accountId}`;
    const known = {
      headerValues: (name: string) => req.headersDistinct[name] ?? [],
      query: req.query,
      accountId: auth?.accountId ?? 0,
    };
    const whileWaiting = <T>(wait: () => Promise<T>) => gate.whileWaiting(req, caller, wait);
    const read = async () => {
      const bytes = await bodies.read(req, res, { limitBytes, caller });
      if (auth !== null && req.headers['content-length'] === undefined)
        callers.countBytes(auth, bytes.length);
      return await readBody(req, bytes, { route, request: { ...known, app }, whileWaiting });
    };
    const body = takesBody(route) ? await read() : NO_BODY;
    const request: CheckedRequest = {
      url: req.originalUrl,
      headers: req.headers,
      ...known,
      params: req.params,
      body: body.value,
      unsafeTexts: body.unsafeTexts,
      fingerprint: body.fingerprint ?? '',
      licenses: selectFor(route, auth, req.query, body.value),
      whileWaiting,
      onShipment: (created) => noteShipment(req, created),
    };
    send(req, res, route, await route.execute(request, app), app);
  };
}

const NO_BODY: RequestBody = { value: undefined, unsafeTexts: [] };

async function readBody(
  req: Request,
  bytes: Buffer,
  {
    route,
    request,
    whileWaiting,
  }: { route: Route; request: BodyRequest } & Pick<CheckedRequest, 'whileWaiting'>,
): Promise<RequestBody> {
  if (bytes.length === 0 && route.bodyOptional) return { value: {}, unsafeTexts: [] };
  if (bytes.length > 0) refuseOtherThanJson(req);
  const { readBody: readOwn } = route;
  return readOwn === undefined ? parseJson(bytes) : await whileWaiting(() => readOwn(bytes, request));
}

/** @throws AppError `unsupported_media_type`, which names what is not taken */
function refuseOtherThanJson(req: Request): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    throw new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  }
  const coding = req.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding !== 'identity') {
    const message = `The Content-Encoding ${shownName(coding)} is not taken. Send the body without one.`;
    throw new AppError('unsupported_media_type', message, { headers: { 'Accept-Encoding': 'identity' } });
  }
  const charsets = parameters.flatMap((text) => /^\s*charset="?([^"]*)"?\s*$/.exec(text)?.[1] ?? []);
  const other = charsets.find((charset) => !/^utf-?8$/.test(charset));
  if (other !== undefined) {
    const message = `The charset ${shownName(other)} is not taken. Send the body in UTF-8.`;
    throw new AppError('unsupported_media_type', message);
  }
}

function shownName(name: string): string {
  return shortened(name.replaceAll(/[^\x21-\x7e]/g, ''), 40);
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
 * and a second license beside it would be answered with the first one's shipment.
 */
function licenseKeyOf(route: Route, query: Record<string, unknown>, body: unknown): unknown {
  if (!takesBody(route) || Array.isArray(body)) return query.license_key;
  return typeof body === 'object' && body !== null && 'license_key' in body ? body.license_key : undefined;
}

function send(req: Request, res: Response, route: Route, reply: Reply, app: MountedApp): void {
  const { bytes } = reply;
  const text = bytes === undefined ? textOf(reply) : undefined;
  if (app.checkResponses && bytes === undefined) route.checkResponse(reply.status, text);
  const isTagged = route.method === 'get' && reply.status === 200;
  const etag = !isTagged ? null : bytes === undefined ? weakEtag(text ?? '') : `"${bytes.etag}"`;
  const isKnown = etag !== null && matchesEtag(req.headers['if-none-match'], etag);
  if (!isKnown) app.load.answers.take(req, res, Buffer.byteLength(bytes?.body ?? text ?? ''));
  res.status(reply.status).set(reply.headers ?? {});
  if (etag === null) res.set('Cache-Control', 'no-store');
  else res.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (isKnown) res.status(304).end();
  else if (bytes !== undefined) sendBody(res, bytes.type, bytes.body);
  else if (text === undefined) res.end();
  else sendJson(res, text);
}

function textOf(reply: Reply): string | undefined {
  return reply.text ?? (reply.json === undefined ? undefined : JSON.stringify(reply.json));
}

/** Sends JSON text byte for byte; a HEAD request gets the headers alone. */
export function sendJson(res: Response, text: string | Buffer): void {
  sendBody(res, 'application/json; charset=utf-8', text);
}

/** A text is not copied, and leaves with the head in one piece. Express would look its type up anew each time. */
function sendBody(res: Response, type: string, body: string | Buffer): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}
