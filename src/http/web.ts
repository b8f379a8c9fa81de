import express, { type Express, type RequestHandler } from 'express';
import { failureReplies, unknownRoute } from '../api/errors.js';
import type { HttpApp } from '../api/http-app.js';
import { mcpRoute } from '../api/mcp/route.js';
import { buildOpenApi } from '../api/openapi.js';
import { buildV1OpenApi } from '../api/v1/openapi.js';
import { v1Routes } from '../api/v1/routes.js';
import { v2Routes } from '../api/v2/routes.js';
import { SENT_EVENTS } from '../api/v2/webhooks/events.js';
import { withRequestId } from '../lib/request-context.js';
import { mountCodec } from './codec.js';
import { weakEtag } from './etag.js';
import { mountHealth } from './health.js';
import { mountInbound } from './inbound.js';
import { accessLog, factsOf } from './middleware/access-log.js';
import { securityHeaders } from './middleware/security-headers.js';
import { traceRequests } from './middleware/trace-request.js';
import { errorHandler, mountRoutes, refuseMethod } from './mount.js';
import { createMountedApp, type MountedApp } from './mounted-app.js';
import { sendAsset } from './pages/asset.js';
import { mountPages } from './pages/mount-pages.js';
import { V1Dialect } from './v1/dialect.js';
import { V2Dialect } from './v2/dialect.js';

/** The whole HTTP application: health, both APIs with their documents, and the pages. Does not listen itself. */
export function createWeb(given: HttpApp): Express {
  const app = createMountedApp(given);
  const web = express();
  web.disable('x-powered-by');
  web.disable('etag');
  web.set('query parser', 'simple');
  web.set('case sensitive routing', true);
  web.set('trust proxy', app.config.trustProxy);
  web.use(singleSlashes);
  web.use(requestIds);
  web.use(traceRequests);
  web.use(accessLog(app.log));
  web.use(securityHeaders());
  mountHealth(web, app);
  mountDocument(web, app, '/api/v2/openapi.json', buildOpenApi(v2Routes, SENT_EVENTS, app.version));
  mountDocument(web, app, '/api/openapi.json', buildV1OpenApi(v1Routes, app.version));
  const v2 = new V2Dialect(app);
  web.use('/api/v2', mountRoutes(v2Routes, app, v2));
  if (app.config.mcp !== 'off') web.use('/mcp', mountRoutes([mcpRoute], app, v2));
  web.use('/api', mountRoutes(v1Routes, app, new V1Dialect(app)));
  web.use(app.load.gate.enter);
  mountInbound(web, app);
  mountCodec(web, app);
  mountPages(web, app);
  web.use((req) => {
    app.limitOpen(req);
    throw unknownRoute();
  });
  web.use(errorHandler(app, failureReplies(app.config)));
  return web;
}

function mountDocument(web: Express, app: MountedApp, path: string, document: object): void {
  const text = JSON.stringify(document);
  const asset = { type: 'application/json; charset=utf-8', body: Buffer.from(text), etag: weakEtag(text) };
  const limit: RequestHandler = (req, _res, next) => {
    app.limitOpen(req);
    next();
  };
  web.get(
    path,
    limit,
    sendAsset(() => asset),
  );
  web.all(path, refuseMethod(['GET', 'HEAD']));
}

/** Callers that join a base address with a slash at its end ask for `//api/v2/…` or `/api/v2//…`. */
const singleSlashes: RequestHandler = (req, _res, next) => {
  const [path = '', ...query] = req.url.split('?');
  if (/^\/+api\//.test(path) && path.includes('//')) {
    req.url = [path.replaceAll(/\/{2,}/g, '/'), ...query].join('?');
    // Links in answers are made of it.
    req.originalUrl = req.url;
  }
  next();
};

const requestIds: RequestHandler = (req, res, next) => {
  const { requestId } = factsOf(req);
  res.set('X-Request-Id', requestId);
  withRequestId(requestId, next);
};
