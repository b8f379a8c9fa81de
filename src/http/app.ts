import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { HttpDeps } from '../api/deps.js';
import { errorBody, unknownRoute } from '../api/errors.js';
import { buildOpenApi } from '../api/openapi.js';
import { buildV1OpenApi } from '../api/v1/openapi.js';
import { v1Routes } from '../api/v1/routes.js';
import { v2Routes } from '../api/v2/routes.js';
import { SENT_EVENTS } from '../api/v2/webhooks/events.js';
import { matchesEtag, weakEtag } from './etag.js';
import { noteFailure } from './failure.js';
import { mountHealth } from './health.js';
import { mountInbound } from './inbound.js';
import { accessLog, factsOf } from './middleware/access-log.js';
import { securityHeaders } from './middleware/security-headers.js';
import { mountRoutes, refuseMethod, sendJson } from './mount.js';
import { createMountDeps, type MountDeps } from './mount-deps.js';
import { mountPages } from './pages/mount-pages.js';
import { mountV1 } from './v1/mount.js';

export type { HttpDeps } from '../api/deps.js';

/** The whole HTTP application: health, both APIs with their documents, and the pages. It listens to nothing by itself. */
export function createApp(given: HttpDeps): Express {
  const deps = createMountDeps(given);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('trust proxy', deps.config.trustProxy);
  app.use(requestIds);
  app.use(accessLog(deps.log));
  app.use(securityHeaders());
  mountHealth(app, deps);
  mountDocument(app, deps, '/api/v2/openapi.json', buildOpenApi(v2Routes, SENT_EVENTS, deps.version));
  mountDocument(app, deps, '/api/openapi.json', buildV1OpenApi(v1Routes, deps.version));
  const refuseUnknown: RequestHandler = (req) => {
    deps.limitOpen(req);
    throw unknownRoute();
  };
  app.use('/api/v2', deps.load.gate.enter, mountRoutes(v2Routes, deps), refuseUnknown);
  app.use('/api', mountV1(v1Routes, deps));
  app.use(deps.load.gate.enter);
  mountInbound(app, deps);
  mountPages(app, deps);
  app.use(refuseUnknown);
  app.use(errorHandler(deps));
  return app;
}

function mountDocument(app: Express, deps: MountDeps, path: string, document: object): void {
  const text = JSON.stringify(document);
  const body = Buffer.from(text, 'utf8');
  const etag = weakEtag(text);
  app.get(path, (req, res) => {
    deps.limitOpen(req);
    res.set({ ETag: etag, 'Cache-Control': 'public, max-age=300' });
    if (matchesEtag(req.headers['if-none-match'], etag)) res.status(304).end();
    else sendJson(res, body);
  });
  app.all(path, refuseMethod(['GET', 'HEAD']));
}

const requestIds: RequestHandler = (req, res, next) => {
  res.set('X-Request-Id', factsOf(req).requestId);
  next();
};

function errorHandler(deps: HttpDeps): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (thrown: unknown, req, res, _next) => {
    const error = noteFailure(deps, req, thrown);
    if (res.headersSent || req.socket.destroyed) {
      req.socket.destroy();
      return;
    }
    res.status(error.status).set(error.headers).set('Cache-Control', 'no-store');
    sendJson(res, JSON.stringify(errorBody(error)));
  };
}
