import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { HttpApp } from '../../api/http-app.js';
import { readInput, readJsonOnly, readStrictly } from '../../api/v1/input.js';
import { messagesOf } from '../../api/v1/messages/catalogues.js';
import { methodNotAllowed, replyToError, routeNotFound } from '../../api/v1/refusals.js';
import { normalised, Refusal, type Reply } from '../../api/v1/reply.js';
import type { V1Request, V1Route } from '../../api/v1/route.js';
import { UnreadableBody } from '../../api/v1/unreadable.js';
import { AppError, type ErrorCode } from '../../domain/errors.js';
import { noteFailure } from '../failure.js';
import type { LoadGate } from '../load-gate.js';
import { factsOf, noteShipment } from '../middleware/access-log.js';
import { callerAddress } from '../middleware/caller-address.js';
import { BODY_LIMIT_BYTES, sendJson } from '../mount.js';
import type { MountedApp } from '../mounted-app.js';
import { refuseAnnounced } from '../raw-body.js';
import { V1Callers } from './callers.js';
import { loggedText } from './logged-text.js';

/** A router with the routes of API v1; it answers every other path and method too, in the same shapes. */
export function mountV1(routes: readonly V1Route[], app: MountedApp): express.Router {
  const router = express.Router({ caseSensitive: true });
  router.use(app.load.gate.enter);
  const say = messagesOf(app.config.locale);
  const callers = new V1Callers(app);
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const allowed = methods.get(path) ?? [];
    methods.set(path, [...allowed, ...(route.method === 'get' ? ['GET', 'HEAD'] : ['POST'])]);
    router[route.method](path, handler(route, app, callers));
  }
  for (const [path, allowed] of methods) {
    router.all(path, (req, res) => send(res, methodNotAllowed(asked(req), allowed, say)));
  }
  router.use((req, res) => {
    app.limitOpen(req);
    send(res, routeNotFound(asked(req).path, say));
  });
  router.use(errorHandler(app));
  return router;
}

function asked(req: Request): { method: string; path: string } {
  return { method: req.method, path: `${req.baseUrl}${req.path}` };
}

function handler(route: V1Route, app: MountedApp, callers: V1Callers): RequestHandler {
  const name = `${route.method.toUpperCase()} /api${route.path}`;
  return async (req, res) => {
    factsOf(req).route = name;
    refuseAnnounced(req, BODY_LIMIT_BYTES);
    const request = readRequest(req, app.load.gate, callers);
    const addBody = async () => {
      const caller = `v1:${callerAddress(req)}`;
      const body = await app.load.bodies.read(req, res, { limitBytes: BODY_LIMIT_BYTES, caller });
      addInput(request, req, body);
      return body.length;
    };
    // Elsewhere the credentials are in the body.
    const isTokenInside = route.checkHeaders === undefined;
    if (isTokenInside) await callers.refuseBody(req, tokenOf(route, request));
    const bytes = isTokenInside ? await addBody() : 0;
    const caller = await callers.identify(req, tokenOf(route, request));
    request.caller = caller;
    callers.admit(req, res, { caller, bytes });
    const reply = await answer(route, { req, app }, async () => {
      if (route.checkHeaders !== undefined) {
        await route.checkHeaders(request, app);
        await addBody();
      }
      return await route.execute(request, app);
    });
    const text = textOf(reply);
    if (app.checkResponses) route.checkResponse(reply.status, text);
    app.load.answers.take(req, res, Buffer.byteLength(text ?? ''));
    if (route.normalised) {
      const { licenseId } = request.facts;
      res.once('close', () => {
        const body = loggedText(text ?? '');
        app.responseLog.add({ licenseId, route: name, status: reply.status, body });
      });
    }
    // The event never comes where the caller has hung up.
    res.once('finish', () => {
      reply.whenTold?.().catch((error: unknown) => {
        app.log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'trouble after an answer');
      });
    });
    send(res, reply, text);
  };
}

/** Failures that are answered in the envelope. */
const IN_ENVELOPE: ReadonlySet<string> = new Set<ErrorCode>(['carrier_rejected', 'not_supported']);
const NO_BODY = { contentType: '', coding: '', bytes: Buffer.alloc(0) };

function readRequest(req: Request, gate: LoadGate, callers: V1Callers): V1Request {
  const facts: V1Request['facts'] = { licenseId: null, accountId: null };
  return {
    url: req.originalUrl,
    headerValues: (name) => req.headersDistinct[name] ?? [],
    params: req.params,
    input: readInput(queryOf(req), NO_BODY),
    unreadable: null,
    caller: null,
    wantsJson: /[/+]json\b/i.test(req.headers.accept ?? ''),
    facts,
    whileWaiting: (wait) => gate.whileWaiting(req, waiterOf(req, facts), wait),
    byKey: (key, find) => callers.byKey(req, key, find),
    onShipment: (created) => noteShipment(req, created),
  };
}

/** Adds a body's parameters. One of a POST that cannot be read is told once the request has been counted. */
function addInput(request: V1Request, req: Request, bytes: Buffer): void {
  if (bytes.length === 0) return;
  const { 'content-type': contentType = '', 'content-encoding': coding = '' } = req.headers;
  const readBody = req.method === 'POST' ? readStrictly : readJsonOnly;
  try {
    request.input = readInput(queryOf(req), { contentType, coding, bytes }, readBody);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableBody)) throw thrown;
    request.unreadable = thrown.why;
  }
}

function queryOf({ originalUrl }: Request): string {
  const [, ...query] = originalUrl.split('?');
  return query.join('?');
}

/** The account, together with its waits in API v2; on routes without a license the address. */
function waiterOf(req: Request, { accountId }: V1Request['facts']): string {
  return accountId === null ? `v1:${callerAddress(req)}` : `account:${accountId}`;
}

/** What may be a token: the bearer on routes of recipients, else a parameter or, without one, the bearer. */
function tokenOf(route: V1Route, request: V1Request): unknown {
  const sent = route.guard === 'recipient' ? null : request.input.token;
  return sent ?? bearerOf(request);
}

function bearerOf(request: V1Request): string {
  const [header = ''] = request.headerValues('authorization');
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

async function answer(
  route: V1Route,
  { req, app }: { req: Request; app: HttpApp },
  work: () => Promise<Reply>,
): Promise<Reply> {
  const reply = await work().catch((thrown: unknown) => {
    if (thrown instanceof Refusal) return thrown.reply;
    // A carrier's refusal is an answer of the group like any other.
    if (thrown instanceof AppError && IN_ENVELOPE.has(thrown.code)) {
      return replyToError(noteFailure(app, req, thrown), messagesOf(app.config.locale));
    }
    throw thrown;
  });
  return route.normalised ? normalised(reply) : reply;
}

function textOf({ body }: Reply): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

function send(res: Response, reply: Reply, text = textOf(reply)): void {
  res
    .status(reply.status)
    .set('Cache-Control', 'no-store')
    .set(reply.headers ?? {});
  if (text === undefined) res.end();
  else sendJson(res, text);
}

function errorHandler(app: HttpApp): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (thrown: unknown, req, res, _next) => {
    const error = noteFailure(app, req, thrown);
    if (res.headersSent || req.socket.destroyed) {
      req.socket.destroy();
      return;
    }
    const say = messagesOf(app.config.locale);
    const isBadPath = thrown instanceof URIError;
    send(res, isBadPath ? routeNotFound(asked(req).path, say) : replyToError(error, say));
  };
}
