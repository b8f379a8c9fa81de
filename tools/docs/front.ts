import { Html, html } from '../../src/domain/html.js';
import type { FramedPage } from './frame.js';
import type { Library, Section } from './library.js';

const SHORTCUTS = [
  {
    path: '/docs/v2',
    title: 'API v2',
    text: 'Every route and field, samples in many languages, and a form to try it.',
  },
  {
    path: '/docs/webhooks',
    title: 'Receiving webhooks',
    text: 'Verify a signature in Node.js, PHP and Python.',
  },
  { path: '/docs/v1', title: 'API v1', text: 'The legacy API that store plugins call.' },
] as const;

/** `/docs`: what `docs/README.md` says, below shortcuts; a list of the pages where there is none. */
export function frontPage(library: Library): FramedPage {
  const rest =
    library.front === null ? library.sections.map(cards) : new Html(withoutTitle(library.front.body.text));
  const body = html`<h1>Documentation</h1>
<p class="lead">Parcelworks books parcels with carriers, prints their labels, follows them to the door and tells shop and
recipient.</p>
<ul class="cards">${SHORTCUTS.map(card)}</ul>
${rest}`;
  return { path: '/docs', title: 'Documentation', body, headings: library.front?.headings ?? [] };
}

function cards({ title, guides }: Section): Html {
  return html`<h2>${title}</h2>
<ul class="cards">${guides.map(({ path, title, lead }) => card({ path, title, text: lead }))}</ul>
`;
}

function withoutTitle(body: string): string {
  return body.replace(/^<h1[^>]*>.*?<\/h1>/s, '');
}

function card({ path, title, text }: { path: string; title: string; text: string }): Html {
  return html`<li><a href="${path}"><strong>${title}</strong><span>${text}</span></a></li>
`;
}
