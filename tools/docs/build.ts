import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { html } from '../../src/domain/html.js';
import { type FramedPage, frame } from './frame.js';
import { frontPage } from './front.js';
import { IMAGES, ROOT, readLibrary } from './library.js';
import { webhooksPage } from './webhooks.js';

/**
 * Makes the documentation that the API serves, beside the compiled code: `docs/integrators`, `docs/all` (with `404.html`
 * for what is no page) and `docs/images`.
 */
const BUILT = fileURLToPath(new URL('../../docs/', import.meta.url));

const MISSING: FramedPage = {
  path: '/docs/404',
  title: 'No such page',
  body: html`<h1>No such page</h1>
<p class="lead">The list of pages has all that there are, and <a href="/docs">the first one</a> tells them apart.</p>`,
  headings: [],
};

rmSync(BUILT, { recursive: true, force: true });
cpSync(join(ROOT, IMAGES), join(BUILT, 'images'), { recursive: true });
for (const audience of ['integrators', 'all'] as const) {
  const library = readLibrary(audience);
  const guides = library.sections.flatMap((section) => section.guides);
  for (const page of [frontPage(library), webhooksPage(), MISSING, ...guides]) {
    const name = page.path === '/docs' ? 'index' : page.path.slice('/docs/'.length);
    const file = join(BUILT, audience, `${name}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, frame(page, library).text);
  }
}
