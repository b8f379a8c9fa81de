import { type Html, html } from '../../../src/domain/html.js';
import type { MailAddress } from './parse.js';

const CLOCK = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Where a page stands in the inbox. */
export interface PageArgs {
  title: string;
  /** What is searched for. */
  query: string;
  body: Html;
  /** Without scripts the page loads itself anew. */
  renews: boolean;
}

/** A page with its bar. Styles and script come from this host alone. */
export function layout({ title, query, body, renews }: PageArgs): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Mail catcher</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/catcher.css">
<script src="/catcher.js" type="module"></script>
${renews ? html`<noscript><meta http-equiv="refresh" content="5"></noscript>` : null}
</head>
<body>
<header class="bar">
<a class="brand" href="/">Mail catcher</a>
<form class="search" role="search" action="/">
<input type="search" name="q" value="${query}" aria-label="Search subject, addresses and text" placeholder="Search subject, addresses, text" dir="auto" autocomplete="off">
<button>Search</button>
</form>
</header>
<main>
${body}
</main>
</body>
</html>
`.text;
}

/** A moment in the machine's time; the script writes it in the reader's. ISO is what one copies. */
export function clock(at: Date): Html {
  const iso = at.toISOString();
  return html`<time datetime="${iso}" title="${iso}">${CLOCK.format(at)}</time>`;
}

/** Name and address, each by itself: whatever direction the name has, the brackets stay around the address. */
export function fullAddresses(addresses: readonly MailAddress[]): Html {
  const shown = addresses.map(({ name, address }, index) => {
    const comma = index === 0 ? null : ', ';
    if (name === '') return html`${comma}<bdi dir="ltr">${address}</bdi>`;
    return html`${comma}<bdi>${name}</bdi> <bdi dir="ltr" class="soft">&lt;${address}&gt;</bdi>`;
  });
  return html`${shown}`;
}

/** Names, and addresses where there are none. */
export function shortAddresses(addresses: readonly MailAddress[]): Html {
  const shown = addresses.map(
    ({ name, address }, index) => html`${index === 0 ? null : ', '}<bdi>${name || address}</bdi>`,
  );
  return html`${shown}`;
}

/** `340 B`, `12 KiB`, `3.4 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.round(kib)} KiB` : `${Math.round((kib / 1024) * 10) / 10} MiB`;
}

/** The path with the parameters that are not null. */
export function linkTo(path: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
