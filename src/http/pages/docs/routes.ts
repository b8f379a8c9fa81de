import { readFileSync } from 'node:fs';
import type { Express, Request, RequestHandler } from 'express';
import { html } from '../../../domain/html.js';
import { DAY_SECONDS } from '../../../lib/time.js';
import { limitPages } from '../../middleware/page-limit.js';
import { refuseMethod } from '../../mount.js';
import type { MountedApp } from '../../mounted-app.js';
import { ASSETS, type FramedPage, frame, WEBHOOKS_PATH } from './frame.js';
import { frontPage } from './front.js';
import { IMAGES_PATH, imageNames, type Library, readImage, readLibrary } from './library.js';
import { REFERENCE_POLICY, REFERENCES, readScalar, referencePage } from './reference.js';
import { type Asset, assetOf, compressed, sendAsset } from './static.js';
import { webhooksPage } from './webhooks.js';

/** Seen from the compiled file: the assets are not compiled, so they are read where they lie in the source. */
const ASSET_FILES = new URL('../../../../../src/http/pages/docs/assets/', import.meta.url);

const HTML = 'text/html; charset=utf-8';
const ASSET_TYPES = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The documentation: the guides of `docs/`, the references of both APIs, and how webhooks are received. Everything comes
 * from this host. `/` leads browsers there, and a browser that asks for a page that is none gets one that says so.
 */
export function mountDocs(web: Express, app: MountedApp): void {
  const { docs } = app.config;
  if (docs === 'none') return;
  const get = (path: string, policy: string, load: () => Asset) =>
    web.get(path, limitPages(app, `GET ${path}`), header('Content-Security-Policy', policy), sendAsset(load));
  const library = readLibrary(docs);
  for (const [path, load] of framedPages(library, app.config.demo?.licenseKey ?? 'lic_main')) {
    get(path, POLICY, () => assetOf(HTML, frame(load(), library).text));
  }
  for (const reference of REFERENCES) {
    get(reference.path, REFERENCE_POLICY, () =>
      assetOf(HTML, referencePage(reference, app.config.demo).text),
    );
  }
  mountAssets(web, app);
  web.get('/', (req, res, next) => {
    res.vary('Accept');
    if (!isBrowser(req)) return next();
    app.limitOpen(req);
    res.redirect(302, '/docs');
  });
  web.get('/docs/{*page}', (req, res, next) => {
    if (!isBrowser(req)) return next();
    app.limitOpen(req);
    res
      .status(404)
      .set({ 'Content-Security-Policy': POLICY, 'Content-Type': HTML, 'Cache-Control': 'no-store' });
    res.send(frame(MISSING, library).text);
  });
  web.all(['/docs', '/docs/{*page}'], (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') next();
    else refuseMethod(['GET', 'HEAD'])(req, res, next);
  });
}

const MISSING: FramedPage = {
  path: '',
  title: 'No such page',
  body: html`<h1>No such page</h1>
<p class="lead">The list of pages has all that there are, and <a href="/docs">the first one</a> tells them apart.</p>`,
  headings: [],
};

/** The pages in the frame, each made when it is first asked for. */
function framedPages(library: Library, license: string): Map<string, () => FramedPage> {
  const guides = library.sections.flatMap((section) => section.guides);
  return new Map<string, () => FramedPage>([
    ['/docs', () => frontPage(library)],
    [WEBHOOKS_PATH, () => webhooksPage(license)],
    ...guides.map((guide): [string, () => FramedPage] => [
      guide.path,
      () => ({ ...guide, ...guide.render() }),
    ]),
  ]);
}

function mountAssets(web: Express, app: MountedApp): void {
  web.use([ASSETS, IMAGES_PATH], (req, _res, next) => {
    app.limitOpen(req);
    next();
  });
  for (const [name, type] of Object.entries(ASSET_TYPES)) {
    web.get(
      `${ASSETS}/${name}`,
      sendAsset(() => assetOf(type, readFileSync(new URL(name, ASSET_FILES)))),
    );
  }
  web.get(
    `${ASSETS}/scalar.js`,
    sendAsset(
      async () => await compressed('text/javascript; charset=utf-8', await readScalar()),
      DAY_SECONDS,
    ),
  );
  for (const name of imageNames()) {
    web.get(
      `${IMAGES_PATH}/${name}`,
      sendAsset(() => assetOf('image/png', readImage(name)), DAY_SECONDS),
    );
  }
}

/** Whether a person opened the address; programs keep getting JSON. */
function isBrowser(req: Request): boolean {
  return (req.headers.accept ?? '').includes('text/html');
}

function header(name: string, value: string): RequestHandler {
  return (_req, res, next) => {
    res.set(name, value);
    next();
  };
}
