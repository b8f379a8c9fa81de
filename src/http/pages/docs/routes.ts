import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, Request, RequestHandler } from 'express';
import { escapeHtml } from '../../../domain/html.js';
import { DAY_SECONDS } from '../../../lib/time.js';
import { limitPages } from '../../middleware/page-limit.js';
import { refuseMethod } from '../../mount.js';
import type { MountedApp } from '../../mounted-app.js';
import { assetOf, compressed, sendAsset } from '../asset.js';
import { policyOf } from '../send-page.js';
import { ASSETS } from './bar.js';
import { REFERENCE_POLICY, REFERENCES, readScalar, referencePage } from './reference.js';

/** What `tools/docs` has made beside the compiled code: a folder of pages for each audience, and pictures. */
const BUILT = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const IMAGES = join(BUILT, 'images');
/** Seen from the compiled file: the assets are not compiled, so they are read where they lie in the source. */
const ASSET_FILES = new URL('../../../../../src/http/pages/docs/assets/', import.meta.url);

/** The page for what is none. */
const MISSING = '/docs/404';
/** Stands in the pages for a license of the reader. */
const SAMPLE_LICENSE = 'lic_main';

const HTML = 'text/html; charset=utf-8';
const ASSET_TYPES = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

const POLICY = policyOf("script-src 'self'", "style-src 'self'", "img-src 'self'");

/**
 * The documentation: the guides of `docs/`, the references of both APIs, and how webhooks are received. Everything comes
 * from this host. `/` leads browsers there, and a browser that asks for a page that is none gets one that says so.
 */
export function mountDocs(web: Express, app: MountedApp): void {
  const { docs } = app.config;
  if (docs === 'none') return;
  const get = (path: string, policy: string, load: Parameters<typeof sendAsset>[0]) =>
    web.get(path, limitPages(app, `GET ${path}`), header('Content-Security-Policy', policy), sendAsset(load));
  const pages = readPages(join(BUILT, docs), app.config.demo?.licenseKey);
  for (const [path, text] of pages) {
    if (path !== MISSING) get(path, POLICY, () => assetOf(HTML, text));
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
    res.send(pages.get(MISSING));
  });
  web.all(['/docs', '/docs/{*page}'], (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') next();
    else refuseMethod(['GET', 'HEAD'])(req, res, next);
  });
}

/** The pages for an audience, by their paths; those of the demo name its license. */
function readPages(folder: string, license = SAMPLE_LICENSE): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  return new Map(
    names.map((name) => [
      name === 'index.html' ? '/docs' : `/docs/${name.replaceAll('\\', '/').slice(0, -'.html'.length)}`,
      readFileSync(join(folder, name), 'utf8').replaceAll(SAMPLE_LICENSE, escapeHtml(license)),
    ]),
  );
}

function mountAssets(web: Express, app: MountedApp): void {
  web.use([ASSETS, '/docs/images'], (req, _res, next) => {
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
  for (const name of readdirSync(IMAGES)) {
    web.get(
      `/docs/images/${name}`,
      sendAsset(() => assetOf('image/png', readFileSync(join(IMAGES, name))), DAY_SECONDS),
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
