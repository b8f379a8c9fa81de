import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { html } from '../../src/domain/html.js';
import { brunoCollection } from './collections/bruno.js';
import { postmanCollection } from './collections/postman.js';
import { collectedRequests } from './collections/requests.js';
import { errorPages } from './errors.js';
import { type FramedPage, frame } from './frame.js';
import { frontPage } from './front.js';
import { type Audience, IMAGES, ROOT, readLibrary, type WrittenPage } from './library.js';
import { llmsText } from './llms.js';
import { renderMarkdown } from './markdown.js';
import { markdownOf, plainMarkdown } from './plain-markdown.js';
import { referencePages } from './reference.js';
import { webhooksPage } from './webhooks.js';

/**
 * Makes the documentation that the API serves, beside the compiled code: `docs/integrators`, `docs/all` (with `404.html`
 * for what is no page) and `docs/images`. Beside each page is its Markdown, and in `llms.txt` a list of these.
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
  const written = [webhooksPage(), ...errorPages()];
  const references = referencePages();
  const pages = [frontPage(library), MISSING, ...written.map(rendered), ...guides];
  for (const page of pages) {
    const name = page.path === '/docs' ? 'index.html' : `${nameOf(page.path)}.html`;
    write(audience, name, frame(page, library).text);
  }
  for (const { path, markdown } of guides) write(audience, nameOf(markdownOf(path)), markdown);
  for (const page of [...written, ...references]) {
    write(
      audience,
      nameOf(markdownOf(page.path)),
      plainMarkdown(page.markdown, page.path, () => null),
    );
  }
  const requests = collectedRequests();
  write(audience, 'postman.json', JSON.stringify(postmanCollection(requests)));
  write(audience, 'bruno.json', JSON.stringify(brunoCollection(requests)));
  write(audience, 'llms.txt', llmsText(library, written, references));
}

function rendered(page: WrittenPage): FramedPage {
  return { ...page, ...renderMarkdown(page.markdown, page.path, () => null) };
}

function nameOf(path: string): string {
  return path.slice('/docs/'.length);
}

function write(audience: Audience, name: string, text: string): void {
  const file = join(BUILT, audience, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
