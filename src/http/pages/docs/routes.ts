import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, Request, RequestHandler } from 'express';
import type { Config } from '../../../config/config.js';
import { escapeHtml } from '../../../domain/html.js';
import { DAY_SECONDS } from '../../../lib/time.js';
import { limitPages } from '../../middleware/page-limit.js';
import { refuseMethod } from '../../mount.js';
import type { MountedApp } from '../../mounted-app.js';
import { type Asset, assetOf, compressed, sendAsset } from '../asset.js';
import { policyOf } from '../send-page.js';
import { ASSETS } from './bar.js';
import { REFERENCE_POLICY, REFERENCES, readScalar, referencePage } from './reference.js';

/** The result of `tools/docs` beside the compiled code: a folder of pages for each audience, and pictures. */
const BUILT = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const IMAGES = join(BUILT, 'images');
/** Seen from the compiled file: the assets are not compiled, so they are read where they lie in the source. */
const ASSET_FILES = new URL('../../../../../src/http/pages/docs/assets/', import.meta.url);

const FRONT = '/docs';
/** The list of pages for programs, of https://llmstxt.org. */
const LIST = '/llms.txt';
/** The page for what is none. */
const MISSING = '/docs/404';
/** Stands in the texts for the address of the service. */
const BASE_URL = 'https://parcels.example.com';
/** Stands in the pages for a license of the reader. */
const SAMPLE_LICENSE = 'lic_main';

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
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
  const { pages, texts } = readBuilt(join(BUILT, docs), app.config);
  const shown = (path: string, policy: string, text: () => string) => {
    const written = path === FRONT ? LIST : `${path}.md`;
    const beside = texts.get(written);
    if (beside !== undefined) web.get(path, preferMarkdown(app, written, assetOf(MARKDOWN, beside)));
    get(path, policy, () => assetOf(HTML, text()));
  };
  for (const [path, text] of pages) {
    if (path !== MISSING) shown(path, POLICY, () => text);
  }
  for (const reference of REFERENCES) {
    shown(reference.path, REFERENCE_POLICY, () => referencePage(reference, app.config.demo).text);
  }
  for (const [path, text] of texts) get(path, POLICY, () => assetOf(typeOf(path), text));
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
  web.all([FRONT, LIST, '/docs/{*page}'], (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') next();
    else refuseMethod(['GET', 'HEAD'])(req, res, next);
  });
}

/** Built files of an audience by paths: pages for people, and texts for programs. */
interface Built {
  pages: Map<string, string>;
  texts: Map<string, string>;
}

/** Those of the demo name its license. Texts are read alone, so their links are whole addresses. */
function readBuilt(folder: string, { demo, baseUrl }: Pick<Config, 'demo' | 'baseUrl'>): Built {
  const license = demo?.licenseKey ?? SAMPLE_LICENSE;
  const built: Built = { pages: new Map(), texts: new Map() };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const name = relative(folder, file).replaceAll('\\', '/');
    const text = readFileSync(file, 'utf8');
    if (name.endsWith('.html')) {
      const path = name === 'index.html' ? FRONT : `/docs/${name.slice(0, -'.html'.length)}`;
      built.pages.set(path, text.replaceAll(SAMPLE_LICENSE, escapeHtml(license)));
    } else {
      const path = name === 'llms.txt' ? LIST : `/docs/${name}`;
      const whole = text.replaceAll('](/', () => `](${baseUrl}/`).replaceAll(BASE_URL, () => baseUrl);
      built.texts.set(
        path,
        whole.replaceAll(SAMPLE_LICENSE, () => license),
      );
    }
  }
  return built;
}

/** Sends a page's Markdown to a program that would rather have it, and names it to all others. */
function preferMarkdown(app: MountedApp, path: string, asset: Asset): RequestHandler {
  const limit = limitPages(app, `GET ${path}`);
  const send = sendAsset(() => asset);
  return (req, res, next) => {
    res.vary('Accept').set('Link', `<${path}>; rel="alternate"; type="text/markdown"`);
    if (req.accepts(['text/html', 'text/markdown']) !== 'text/markdown') return next();
    limit(req, res, (error) => (error === undefined ? send(req, res, next) : next(error)));
  };
}

function typeOf(path: string): string {
  if (path.endsWith('.json')) return 'application/json; charset=utf-8';
  return path === LIST ? 'text/plain; charset=utf-8' : MARKDOWN;
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
