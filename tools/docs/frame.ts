import { type Html, html } from '../../src/domain/html.js';
import { ASSETS, anchor, bar, type Link } from '../../src/http/pages/docs/bar.js';
import type { Library } from './library.js';
import type { Heading, Rendered } from './markdown.js';
import { markdownOf } from './plain-markdown.js';

export const WEBHOOKS_PATH = '/docs/webhooks';

/** The pages that are no Markdown files. */
const REFERENCE: readonly Link[] = [
  { path: '/docs/v2', title: 'API v2' },
  { path: '/docs/v1', title: 'API v1, for store plugins' },
  { path: WEBHOOKS_PATH, title: 'Receiving webhooks' },
  { path: '/docs/errors', title: 'Errors' },
];

/** A page of the documentation. */
export interface FramedPage extends Link, Rendered {
  /** Of a page that has its Markdown beside it. */
  markdown?: string;
}

/** The page with its bar, the list of pages, and what is on it. */
export function frame(page: FramedPage, library: Library): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.path === '/docs' ? 'Parcelworks documentation' : `${page.title} – Parcelworks`}</title>
<link rel="icon" href="${ASSETS}/icon.svg">
${alternate(page)}
<link rel="stylesheet" href="${ASSETS}/docs.css">
<script src="${ASSETS}/docs.js" type="module"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
${bar(page.path)}
<div class="frame">
${side(page.path, library)}
<div class="page">
<main id="content">
<article>
${page.body}
</article>
${steps(page.path, library)}
</main>
${toc(page.headings)}
</div>
</div>
</body>
</html>
`;
}

/** The same for programs that read: the page's Markdown, of the first page the list of all. */
function alternate({ path, markdown }: FramedPage): Html | null {
  if (path !== '/docs' && markdown === undefined) return null;
  const to = path === '/docs' ? '/llms.txt' : markdownOf(path);
  return html`<link rel="alternate" type="text/markdown" href="${to}">`;
}

function side(current: string, library: Library): Html {
  const group = (title: string, links: readonly Link[]) => html`<h2>${title}</h2>
<ul>${links.map((link) => html`<li>${anchor(link, current)}</li>`)}</ul>
`;
  return html`<nav class="side" aria-label="Pages">
<details open><summary>All pages</summary>
${group('Reference', REFERENCE)}${library.sections.map(({ title, guides }) => group(title, guides))}
</details>
</nav>`;
}

function toc(headings: readonly Heading[]): Html | null {
  if (headings.length < 2) return null;
  return html`<nav class="toc" aria-label="On this page">
<h2>On this page</h2>
<ul>${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>
</nav>`;
}

/** The pages before and after a guide. */
function steps(current: string, library: Library): Html | null {
  const all = library.sections.flatMap(({ guides }) => guides);
  const at = all.findIndex(({ path }) => path === current);
  if (at === -1) return null;
  const [before, after] = [all[at - 1], all[at + 1]];
  return html`<nav class="steps" aria-label="Further pages">
<span>${before === undefined ? null : html`← <a href="${before.path}">${before.title}</a>`}</span>
<span>${after === undefined ? null : html`<a href="${after.path}">${after.title}</a> →`}</span>
</nav>`;
}
