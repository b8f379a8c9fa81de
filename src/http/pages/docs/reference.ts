import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Config } from '../../../config/config.js';
import { type Html, html } from '../../../domain/html.js';
import { policyOf } from '../send-page.js';
import { ASSETS, bar } from './bar.js';

/**
 * Scalar's bundle for browsers. This package is the small one of those that have it as a file: nothing else of it is
 * used. It is the last version for Node 20.
 */
const SCALAR_FILE = join(
  dirname(createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')),
  'js/standalone.js',
);

/** Scalar's text in an empty field for a secret: a joke in base64. */
const JOKE = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';

/** Scalar's script for browsers. */
export async function readScalar(): Promise<string> {
  return (await readFile(SCALAR_FILE, 'utf8')).replaceAll(JOKE, '');
}

/**
 * Scalar writes its style sheet into the page and positions by style attributes, so styles may be inline here. Scripts
 * may not, nothing is evaluated, and no other host is asked.
 */
export const REFERENCE_POLICY = policyOf(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
);

/** A reference: where it is served, and the OpenAPI document that it shows. */
interface Reference {
  path: string;
  title: string;
  document: string;
}

export const REFERENCES: readonly Reference[] = [
  { path: '/docs/v2', title: 'Parcelworks API v2', document: '/api/v2/openapi.json' },
  { path: '/docs/v1', title: 'Parcelworks API v1 (legacy)', document: '/api/openapi.json' },
];

/** The page, with the demo's credentials where there is a demo. */
export function referencePage({ path, title, document }: Reference, demo: Config['demo']): Html {
  const preset =
    demo === null
      ? null
      : html` data-license="${demo.licenseKey}" data-client-id="${demo.clientId}" data-client-secret="${demo.clientSecret}" data-app-secret="${demo.appSecret}" data-user-token="${demo.userToken}"`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${ASSETS}/icon.svg">
<link rel="stylesheet" href="${ASSETS}/reference.css">
<script src="${ASSETS}/scalar.js" defer></script>
<script src="${ASSETS}/reference.js" type="module"></script>
</head>
<body>
${bar(path)}
<div id="reference" data-document="${document}"${preset}>
<noscript><p>This page needs scripts. The <a href="${document}">OpenAPI document</a> holds the same.</p></noscript>
</div>
</body>
</html>
`;
}
