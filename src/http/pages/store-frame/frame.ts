import type { Request, Response } from 'express';
import { type Html, html } from '../../../domain/html.js';
import { LANGUAGES, type Language } from '../../../domain/recipient-words/language.js';
import { WORDS } from '../panel/words/words.js';

/** A page of the frame. */
export interface FramePage {
  status?: number;
  language: Language;
  title: string;
  main: Html;
  /** The store whose admin pages may show it; null where none is known. */
  store: string | null;
  /** Query of the same page in another language; null where it cannot be asked for again. */
  query: URLSearchParams | null;
}

/**
 * Sends a page that the store's own admin pages may show in a frame, and no other. It gets no cookies: browsers send none
 * to frames of other sites.
 */
export function sendFrame(res: Response, page: FramePage): void {
  const { status = 200, language, store } = page;
  // Says the same as `frame-ancestors`, for fewer cases, and browsers without that are long gone.
  res.removeHeader('X-Frame-Options');
  const body = Buffer.from(pageOf(page).text, 'utf8');
  res.status(status).set({
    'Content-Security-Policy': policyFor(store),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.length),
    'Content-Language': language,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  });
  res.end(body);
}

/** The host name in a store's `store`; null for what is none that a policy can name. */
export function storeHost(text: string | null): string | null {
  const address = `https://${text ?? ''}`;
  if (text === null || /[/\\@?#\s;,*]/.test(text) || !URL.canParse(address)) return null;
  const { hostname } = new URL(address);
  return /^[a-z0-9.-]+$/.test(hostname) ? hostname : null;
}

/** The query of a request. The plugin's `store` has a blank before its name. */
export function queryOf({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams {
  return new URL(originalUrl, 'http://frame').searchParams;
}

function policyFor(store: string | null): string {
  const ancestors = store === null ? "'none'" : `https://${store}:* http://${store}:*`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

function pageOf({ language, title, main, query }: FramePage): Html {
  const words = WORDS[language];
  return html`<!doctype html>
<html lang="${language}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Parcelworks</title>
<link rel="icon" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/panel/assets/panel.css">
<script src="/panel/assets/store-frame.js" defer></script>
</head>
<body class="framed">
<main id="main">
<h1>${title}</h1>
${main}
</main>
${query === null ? null : languages(language, query)}
</body>
</html>
`;
}

function languages(language: Language, query: URLSearchParams): Html {
  return html`<footer>${LANGUAGES.map((one) => {
    const to = new URLSearchParams(query);
    to.set('lang', one);
    const mark = one === language ? html` aria-current="true"` : null;
    return html`<a href="?${to.toString()}" lang="${one}" hreflang="${one}"${mark}>${WORDS[one].languageName}</a> `;
  })}</footer>`;
}
