import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Helmet's headers, computed once: they are the same on every answer. */
export function securityHeaders(): RequestHandler {
  const probe = new ServerResponse(new IncomingMessage(new Socket()));
  helmet()(probe.req, probe, () => undefined);
  const headers = Object.entries(probe.getHeaders()).map(([name, value]) => [name, String(value)] as const);
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
