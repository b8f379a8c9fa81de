import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';
import { projectFolder } from '../../tools/launcher/paths.js';
import { anchorsOf, docPages, linksOf } from '../support/doc-pages.js';

const MOST_WORDS = 900;
/** `console`, `sql` and `text` are not run: production, Docker, what starts and stops the demo. `php` has another test. */
const LANGUAGES = new Set([
  'sh',
  'json',
  'output',
  'console',
  'sql',
  'text',
  'mermaid',
  'curl',
  'php',
  'mjs',
]);

const pages = docPages();

test('links: every one that stays in the project leads to a file, and to a heading that is there', (t) => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !resolves(page.path, link))
      .map((link) => `${page.path}: ${link}`),
  );

  t.deepEqual(broken, []);
  t.true(pages.flatMap(linksOf).length > 50);
});

test('README: takes no more than five minutes', (t) => {
  const [readme] = pages;

  const words = readme?.text.split(/\s+/).filter((word) => word !== '') ?? [];

  t.is(readme?.path, 'README.md');
  t.true(words.length <= MOST_WORDS, `${words.length} words`);
});

test('blocks: each has a language, which says whether it is run', (t) => {
  const others = pages.flatMap(({ path, blocks }) =>
    blocks.filter(({ language }) => !LANGUAGES.has(language)).map(({ text }) => `${path}: ${text}`),
  );

  t.deepEqual(others, []);
});

test('the index: names every page of docs', (t) => {
  const index = pages.find(({ path }) => path === 'docs/README.md');
  const named = new Set(linksOf({ text: index?.text ?? '' }).map((link) => join('docs', link)));

  const unnamed = pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith('docs/') && !named.has(path));

  t.deepEqual(unnamed, ['docs/README.md']);
});

function resolves(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = join(projectFolder, file === '' ? from : normalize(join(dirname(from), file)));
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsOf({ text: readFileSync(path, 'utf8') }).has(anchor);
}
