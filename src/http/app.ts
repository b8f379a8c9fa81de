import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { errorBody, unknownRoute } from '../api/errors.js';
import type { HttpApp } from '../api/http-app.js';
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
import { createMountedApp, type MountedApp } from './mounted-app.js';
import { mountPages } from './pages/mount-pages.js';
import { mountV1 } from './v1/mount.js';

export type { HttpApp } from '../api/http-app.js';

/** The whole HTTP application: health, both APIs with their documents, and the pages. It listens to nothing by itself. */
export function createApp(given: HttpApp): Express {
  const app = createMountedApp(given);
  const web = express();
  web.disable('x-powered-by');
  web.disable('etag');
  web.set('query parser', 'simple');
  web.set('case sensitive routing', true);
  web.set('trust proxy', app.config.trustProxy);
  web.use(requestIds);
  web.use(accessLog(app.log));
  web.use(securityHeaders());
  mountHealth(web, app);
  mountDocument(web, app, '/api/v2/openapi.json', buildOpenApi(v2Routes, SENT_EVENTS, app.version));
  mountDocument(web, app, '/api/openapi.json', buildV1OpenApi(v1Routes, app.version));
  const refuseUnknown: RequestHandler = (req) => {
    app.limitOpen(req);
    throw unknownRoute();
  };
  web.use('/api/v2', app.load.gate.enter, mountRoutes(v2Routes, app), refuseUnknown);
  web.use('/api', mountV1(v1Routes, app));
  web.use(app.load.gate.enter);
  mountInbound(web, app);
  mountPages(web, app);
  web.use(refuseUnknown);
  web.use(errorHandler(app));
  return web;
}

function mountDocument(web: Express, app: MountedApp, path: string, document: object): void {
  const text = JSON.stringify(document);
  const body = Buffer.from(text, 'utf8');
  const etag = weakEtag(text);
  web.get(path, (req, res) => {
    app.limitOpen(req);
    res.set({ ETag: etag, 'Cache-Control': 'public, max-age=300' });
    if (matchesEtag(req.headers['if-none-match'], etag)) res.status(304).end();
    else sendJson(res, body);
  });
  web.all(path, refuseMethod(['GET', 'HEAD']));
}

const requestIds: RequestHandler = (req, res, next) => {
  res.set('X-Request-Id', factsOf(req).requestId);
  next();
};

function errorHandler(app: HttpApp): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (thrown: unknown, req, res, _next) => {
    const error = noteFailure(app, req, thrown);
    if (res.headersSent || req.socket.destroyed) {
      req.socket.destroy();
      return;
    }
    res.status(error.status).set(error.headers).set('Cache-Control', 'no-store');
    sendJson(res, JSON.stringify(errorBody(error)));
  };
}
