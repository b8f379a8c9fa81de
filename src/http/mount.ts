import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { methodNotAllowed, unknownRoute } from '../api/errors.js';
import type { HttpApp } from '../api/http-app.js';
import type { BaseRequest, MountedRoute, Reply } from '../api/operation.js';
import type { AppError } from '../domain/errors.js';
import { LIMITS } from '../lib/limits/values.js';
import { matchesEtag, weakEtag } from './etag.js';
import { noteFailure } from './failure.js';
import { factsOf, noteShipment } from './middleware/access-log.js';
import { callerAddress } from './middleware/caller-address.js';
import type { MountedApp } from './mounted-app.js';
import { refuseAnnounced } from './raw-body.js';

/** Differences between the versions of the API, in the order in which a request meets it. */
export interface Dialect<Route, ApiRequest> {
  /** A route as the log names it. */
  nameOf(route: Route): string;
  /** The request as routes of the version see it. Nothing is checked yet. */
  open(base: BaseRequest, req: Request): ApiRequest;
  /** Whose share of bodies and waits a request takes. */
  clientOf(request: ApiRequest, req: Request): string;
  /** Finds out who calls, counts the request and reads its body, all of which it adds to `exchange.request`. */
  admit(exchange: Exchange<Route, ApiRequest>, readBody: () => Promise<Buffer>): Promise<void>;
  /** The answer that something thrown is. @throws the same where it is a failure */
  refusal(thrown: unknown, req: Request): Reply;
  /** Whether answers to GET have an `ETag`. */
  isTagged: boolean;
  /** Takes note of an answer that goes out. `text`: its JSON. */
  note?(exchange: Exchange<Route, ApiRequest>, reply: Reply, text: string | undefined): void;
  /** The answer to a failure. */
  present(error: AppError, req: Request): Reply;
  /** The answer when no route has the path, or the method. @throws the error to present it like any other */
  unmatched(error: AppError, req: Request): Reply;
}

/** A request in progress. */
export interface Exchange<Route, ApiRequest> {
  route: Route;
  request: ApiRequest;
  req: Request;
  res: Response;
}

/** A router with the routes of a version. It also answers every other path and method. */
export function mountRoutes<Route extends MountedRoute<ApiRequest>, ApiRequest extends BaseRequest>(
  routes: readonly Route[],
  app: MountedApp,
  dialect: Dialect<Route, ApiRequest>,
): express.Router {
  const router = express.Router({ caseSensitive: true });
  router.use(app.load.gate.enter);
  const byPath = new Map<string, Route[]>();
  for (const route of routes) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  for (const [path, own] of [...byPath].sort(([one], [other]) => literalFirst(one, other))) {
    const allowed = own.flatMap(({ method }) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    for (const route of own) router[route.method](expressPath(path), handler(route, app, dialect));
    router.all(expressPath(path), (req, res) => send(res, dialect.unmatched(methodNotAllowed(allowed), req)));
  }
  router.use((req, res) => {
    app.limitOpen(req);
    send(res, dialect.unmatched(unknownRoute(), req));
  });
  router.use(errorHandler(app, dialect.present));
  return router;
}

/** A path with a parameter also matches literal paths, whose methods may differ, so it comes after them. */
function literalFirst(one: string, other: string): number {
  const [first, second] = [one, other].map((path) => path.replaceAll('{', '\uffff'));
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** All steps of a request, in either version. */
function handler<Route extends MountedRoute<ApiRequest>, ApiRequest extends BaseRequest>(
  route: Route,
  app: MountedApp,
  dialect: Dialect<Route, ApiRequest>,
): RequestHandler {
  const { gate, bodies, answers } = app.load;
  const limitBytes = route.bodyLimitBytes ?? LIMITS.requests.bodyBytes;
  return async (req, res) => {
    factsOf(req).route = dialect.nameOf(route);
    refuseAnnounced(req, limitBytes);
    const client = () => dialect.clientOf(request, req);
    const base: BaseRequest = {
      url: req.originalUrl,
      address: callerAddress(req),
      headerValues: (name) => req.headersDistinct[name] ?? [],
      params: req.params,
      whileWaiting: (wait) => gate.whileWaiting(req, client(), wait),
      onShipment: (created) => noteShipment(req, created),
    };
    const request = dialect.open(base, req);
    const exchange = { route, request, req, res };
    const reply = await dialect
      .admit(exchange, () => bodies.read(req, res, { limitBytes, caller: client() }))
      .then(() => {
        gate.claim(req, client());
        return route.execute(request, app);
      })
      .catch((thrown: unknown) => dialect.refusal(thrown, req));
    const { status, bytes } = reply;
    const text = textOf(reply);
    if (app.checkResponses && bytes === undefined) route.checkResponse(status, text);
    const isTagged = dialect.isTagged && route.method === 'get' && status === 200;
    const etag = isTagged ? etagOf(reply, text) : null;
    const isKnown = etag !== null && matchesEtag(req.headers['if-none-match'], etag);
    if (!isKnown) answers.take(req, res, Buffer.byteLength(bytes?.body ?? text ?? ''));
    dialect.note?.(exchange, reply, text);
    send(res, isKnown ? { ...reply, status: 304 } : reply, { text, etag });
  };
}

/** Answers 405 with the methods that the path has. */
export function refuseMethod(allowed: readonly string[]): RequestHandler {
  return () => {
    throw methodNotAllowed(allowed);
  };
}

/** Answers a thrown value in the format of `present`. */
export function errorHandler(
  app: Pick<HttpApp, 'log'>,
  present: Dialect<unknown, unknown>['present'],
): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (thrown: unknown, req, res, _next) => {
    const error = noteFailure(app, req, thrown);
    if (res.headersSent || req.socket.destroyed) req.socket.destroy();
    else send(res, present(error, req));
  };
}

function textOf(reply: Reply): string | undefined {
  return reply.text ?? (reply.json === undefined ? undefined : JSON.stringify(reply.json));
}

function etagOf({ bytes }: Reply, text = ''): string {
  return bytes === undefined ? weakEtag(text) : `"${bytes.etag}"`;
}

/** A 304 has no body. */
export function send(
  res: Response,
  reply: Reply,
  { text = textOf(reply), etag = null }: { text?: string | undefined; etag?: string | null } = {},
): void {
  const { status, headers = {}, bytes } = reply;
  res.status(status).set(headers);
  if (etag === null) res.set('Cache-Control', 'no-store');
  else res.set({ ETag: etag, 'Cache-Control': 'private, no-cache' });
  if (status === 304) res.end();
  else if (bytes !== undefined) sendBody(res, bytes.type, bytes.body);
  else if (text === undefined) res.end();
  else sendBody(res, 'application/json; charset=utf-8', text);
}

/** Sends a text uncopied, in one piece with the head. Express would look up its type each time. */
function sendBody(res: Response, type: string, body: string | Buffer): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}
