import { type Html, html } from '../../../domain/html.js';

export const ASSETS = '/docs/assets';

/** A page and what it is called. */
export interface Link {
  path: string;
  title: string;
}

const LINKS: readonly Link[] = [
  { path: '/docs', title: 'Guides' },
  { path: '/docs/v2', title: 'API v2' },
  { path: '/docs/v1', title: 'API v1' },
];

/** The bar above every page. */
export function bar(path: string): Html {
  return html`<header class="bar">
<a class="brand" href="/docs">Parcelworks</a>
${LINKS.map((link) => anchor(link, path))}
</header>`;
}

/** A link to a page, marked where it is the current one. */
export function anchor({ path, title }: Link, current: string): Html {
  return html`<a href="${path}"${path === current ? html` aria-current="page"` : null}>${title}</a>
`;
}
