import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { httpRequests, httpSeconds } from '../../lib/metrics.js';
import type { CreateShipmentOutcome } from '../../services/creation/create-shipment.js';

/** The log line of a request, filled in while it is handled. Nothing else is logged. */
interface AccessFacts {
  requestId: string;
  /** The route's template, never the path itself, which can hold a code or an order id. */
  route?: string;
  accountId?: number;
  /** Uuid of the shipment that the request creates. */
  shipment?: string;
  errorCode?: string;
  /** The answer lasts as long as its caller stays, so its time says nothing of the process. */
  isStream?: true;
  /** While traces are on. */
  traceId?: string | undefined;
}

const facts = new WeakMap<IncomingMessage, AccessFacts>();

/** The facts of a request; always the same object. */
export function factsOf(req: IncomingMessage): AccessFacts {
  const known = facts.get(req);
  if (known !== undefined) return known;
  const created: AccessFacts = { requestId: requestIdOf(req) };
  facts.set(req, created);
  return created;
}

/** The caller's `X-Request-Id` if it is one header of 1–128 visible ASCII characters, else a new one. */
function requestIdOf(req: IncomingMessage): string {
  const values = req.headersDistinct['x-request-id'] ?? [];
  const [sent] = values;
  const usable = values.length === 1 && sent !== undefined && /^[\x21-\x7e]{1,128}$/.test(sent);
  return usable ? sent : randomUUID();
}

/** Records the shipment that a request has created, or is still creating. */
export function noteShipment(req: IncomingMessage, created: CreateShipmentOutcome): void {
  factsOf(req).shipment = created.kind === 'pending' ? created.shipment.uuid : created.shipmentUuid;
}

/** One line per request, from an allow-list: no header, query, body or address. `responseTime` is in ms. */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    res.once('close', () => {
      count(req, res, (performance.now() - startedAt) / 1000);
      const level = levelOf(res.statusCode);
      if (!log.isLevelEnabled(level)) return;
      log[level](
        {
          req: { method: req.method },
          res: { status: res.statusCode },
          ...factsOf(req),
          responseTime: Math.round(performance.now() - startedAt),
        },
        res.writableFinished ? 'request completed' : 'request aborted',
      );
    });
    next();
  };
}

function count(req: Request, res: ServerResponse, seconds: number): void {
  const { route = 'none', isStream } = factsOf(req);
  const api = apiOf(req.originalUrl);
  const status = res.writableFinished ? `${Math.floor(res.statusCode / 100)}xx` : 'aborted';
  httpRequests.inc({ api, route, status });
  if (isStream === undefined) httpSeconds.observe({ api, route }, seconds);
}

function apiOf(url: string): string {
  if (url.startsWith('/api/v2/')) return 'v2';
  return url.startsWith('/api/') ? 'v1' : 'pages';
}

/** 503 is no error of the process: a missing dependency has its own log line, and turning requests away is intended. */
function levelOf(status: number): 'error' | 'warn' | 'info' {
  if (status === 503) return 'warn';
  return status >= 500 ? 'error' : 'info';
}
