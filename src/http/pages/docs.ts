import { createHash } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { html } from '../../domain/html.js';
import { matchesEtag } from '../etag.js';
import { limitPages } from '../middleware/page-limit.js';
import { refuseMethod } from '../mount.js';
import type { MountDeps } from '../mount-deps.js';

const ASSETS = '/docs/assets';
/** What the page loads of Swagger UI; the rest of its folder is not served. */
const UI_FILES: ReadonlySet<string> = new Set([
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/favicon-32x32.png',
]);

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const START = `window.addEventListener('load', () => {
  window.ui = window.SwaggerUIBundle({
    url: document.getElementById('reference').dataset.document,
    dom_id: '#reference',
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
  });
});
`;

const STYLE = `:root { color-scheme: light; }
body { margin: 0; background: #fff; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding: .9rem 1.25rem;
  background: #10243e; color: #fff; font: 16px/1.5 system-ui, sans-serif; }
.bar strong { margin-inline-end: auto; font-size: 1.1rem; }
.bar a { color: #fff; text-underline-offset: .2em; }
.bar a:focus-visible { outline: 3px solid #9fd0ff; outline-offset: 3px; }
noscript p { padding: 1.25rem; font: 16px/1.5 system-ui, sans-serif; }
.swagger-ui .info { margin: 28px 0; }
`;

const V2 = '/api/v2/openapi.json';
const V1 = '/api/openapi.json';

const page = (title: string, document: string) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ASSETS}/favicon-32x32.png">
<link rel="stylesheet" href="${ASSETS}/swagger-ui.css">
<link rel="stylesheet" href="${ASSETS}/page.css">
<script src="${ASSETS}/swagger-ui-bundle.js" defer></script>
<script src="${ASSETS}/start.js" defer></script>
</head>
<body>
<header class="bar">
<strong>${title}</strong>
<a href="/docs">API v2</a>
<a href="/docs/v1">API v1</a>
<a href="/docs/webhooks">Receiving webhooks</a>
<a href="${document}">OpenAPI document</a>
</header>
<main id="reference" data-document="${document}">
<noscript><p>This page needs scripts. The <a href="${document}">OpenAPI document</a> holds the same.</p></noscript>
</main>
</body>
</html>
`;

/**
 * `/docs` and `/docs/v1`: every route of an API from its published document, with its examples. Nothing comes from
 * another host.
 */
export function mountDocs(app: Express, deps: MountDeps): void {
  const secure = header('Content-Security-Policy', POLICY);
  const pages = {
    '/docs': page('Parcelworks API v2', V2),
    '/docs/v1': page('Parcelworks API v1 (legacy)', V1),
  };
  for (const [path, { text }] of Object.entries(pages)) {
    app.get(path, limitPages(deps, `GET ${path}`), secure, asset('text/html', text));
  }
  app.use(ASSETS, (req, _res, next) => {
    deps.limitOpen(req);
    next();
  });
  app.get(`${ASSETS}/start.js`, asset('text/javascript', START));
  app.get(`${ASSETS}/page.css`, asset('text/css', STYLE));
  const files = swaggerUi.serveWithOptions({ index: false, redirect: false, maxAge: '1d' });
  app.use(ASSETS, knownFile, ...files);
  app.all(['/docs', '/docs/v1', `${ASSETS}/{*file}`], refuseMethod(['GET', 'HEAD']));
}

/** Leaves the router for any file that the page does not load, and any method but reading. */
const knownFile: RequestHandler = (req, _res, next) => {
  next(UI_FILES.has(req.path) ? undefined : 'router');
};

function header(name: string, value: string): RequestHandler {
  return (_req, res, next) => {
    res.set(name, value);
    next();
  };
}

/** Sends a text of ours, which changes with the program only. */
function asset(type: string, text: string): RequestHandler {
  const body = Buffer.from(text, 'utf8');
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return (req, res) => {
    res.set({ ETag: etag, 'Cache-Control': 'public, max-age=300' });
    if (matchesEtag(req.headers['if-none-match'], etag)) {
      res.status(304).end();
      return;
    }
    res.set({ 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': String(body.length) });
    res.end(body);
  };
}
