import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { PanelSession } from '../../../db/queries/accounts/panel-sessions.js';
import { Html, html } from '../../../domain/html.js';
import { may, type Right } from '../../../domain/panel-roles.js';
import { LANGUAGES, type Language } from '../../../domain/recipient-words/language.js';
import { signInPath } from './way-back.js';
import type { Words } from './words/en.js';
import { WORDS } from './words/words.js';

const ASKED_MS = 30_000;

/** Content of the frame of a page. */
interface FramedPage {
  language: Language;
  title: string;
  main: Html;
  /** Path as sent, to mark the current link. */
  path: string;
  notice: string | null;
  user: PanelSession['user'] | null;
  account: AccountRecord | null;
  /** Whether the page can be had in another language, by its path. */
  isTranslated: boolean;
}

/**
 * Errors change nothing in an open page, and a morph leaves opened what a person has opened. `panel.js` says since when
 * the service has not answered.
 */
const HTMX_CONFIG = new Html(
  JSON.stringify({
    includeIndicatorCSS: false,
    noSwap: [204, 304, '4xx', '5xx'],
    morphIgnore: ['data-htmx-powered', 'open'],
    defaultTimeout: ASKED_MS,
    sse: { reconnectMaxDelay: 15_000 },
  }),
);

/** A whole page: head, navigation and content. */
export function frame(page: FramedPage): Html {
  const words = WORDS[page.language];
  return html`<!doctype html>
<html lang="${page.language}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="htmx-config" content='${HTMX_CONFIG}'>
<title>${page.title} · Parcelworks</title>
<link rel="icon" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/panel/assets/panel.css">
<script src="/panel/assets/htmx.js" defer></script>
<script src="/panel/assets/panel.js" defer></script>
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
${page.user === null ? bareBar() : bar(page, page.user, words)}
<main id="main">
<h1>${page.title}</h1>
${page.notice === null ? null : html`<p class="notice" role="status">${page.notice}</p>`}
${page.main}
</main>
${page.isTranslated ? languages(page) : null}
${page.user === null ? null : unanswered(words)}
</body>
</html>
`;
}

/** Texts of `panel.js` while the service does not answer; `time` is filled in there. */
function unanswered({ unanswered: texts, locale }: Words): Html {
  const [before = '', after = ''] = texts.since.split('{time}');
  return html`<div id="unanswered" class="unanswered" role="status"></div>
<template id="unanswered-away"><p>${before}<time lang="${locale}"></time>${after}</p></template>
<template id="unanswered-ended"><p>${texts.ended} <a href="/panel/sign-in" target="_blank">${texts.signIn}</a>.</p></template>
`;
}

function bareBar(): Html {
  return html`<header class="bar"><a class="brand" href="/panel">Parcelworks</a></header>`;
}

interface NavLink {
  path: string;
  title: string;
  right: Right;
}

function bar(page: FramedPage, user: PanelSession['user'], words: Words): Html {
  const { nav } = words;
  const system: NavLink[] = [
    { path: '/panel/overview', title: words.overview.title, right: 'operate' },
    { path: '/panel/attention', title: words.attention.title, right: 'operate' },
    { path: '/panel/refused', title: words.parcel.refused, right: 'operate' },
    { path: '/panel/figures', title: words.figures.title, right: 'operate' },
    { path: '/panel/carriers', title: words.carriers.title, right: 'operate' },
    { path: '/panel/accounts', title: words.accounts.title, right: 'operate' },
    { path: '/panel/companies', title: words.companies.title, right: 'administer' },
    { path: '/panel/users', title: nav.users, right: 'administer' },
    { path: '/panel/audit', title: words.audit.title, right: 'operate' },
  ];
  const below = (path: string) => `/panel/a/${page.account?.id}${path}`;
  const own: NavLink[] =
    page.account === null
      ? []
      : [
          { path: below('/shipments'), title: words.shipments.title, right: 'ship' },
          { path: below('/scan'), title: words.scan.title, right: 'ship' },
          { path: below('/refused'), title: words.parcel.refused, right: 'ship' },
          { path: below('/batches'), title: words.batches.title, right: 'ship' },
          { path: below('/figures'), title: words.figures.title, right: 'ship' },
          { path: below('/exports'), title: words.exports.title, right: 'manage' },
          { path: below('/webhooks'), title: nav.webhooks, right: 'manage' },
          { path: below('/notifications'), title: nav.notifications, right: 'manage' },
          { path: below('/credentials'), title: nav.credentials, right: 'own' },
          { path: below('/team'), title: words.people.team, right: 'own' },
          { path: below('/licenses'), title: words.licenses.title, right: 'own' },
          { path: below('/sites'), title: words.sites.title, right: 'administer' },
          { path: below('/users'), title: nav.merchantUsers, right: 'administer' },
          { path: below('/settings'), title: words.settings.title, right: 'own' },
        ];
  const links = (list: readonly NavLink[]) =>
    list.filter(({ right }) => may(user.role, right)).map((link) => navLink(link, page.path));
  const isOperator = user.accountId === null;
  return html`<header class="bar">
<a class="brand" href="/panel">Parcelworks</a>
<nav aria-label="${words.menu}">
${links(isOperator ? system : own)}
</nav>
<div class="me"><a href="/panel/profile"><bdi>${user.name}</bdi></a>
<form method="post" action="/panel/sign-out"><button class="plain">${words.signIn.signOut}</button></form></div>
${
  page.account === null || !isOperator
    ? null
    : html`<nav class="own" aria-label="${page.account.name}">
<span class="account"><bdi>${page.account.name}</bdi></span>
${links(own)}
</nav>
`
}</header>`;
}

function navLink({ path, title }: NavLink, current: string): Html {
  const isCurrent = current === path || current.startsWith(`${path}/`) || current.startsWith(`${path}?`);
  return html`<a href="${path}"${isCurrent ? html` aria-current="page"` : null}>${title}</a>
`;
}

function languages({ language, path }: FramedPage): Html {
  const { pathname, searchParams } = new URL(path, 'http://panel');
  // An address to which an OpenID provider has led works once.
  const isSignIn = /^\/panel\/sign-in(\/|$)/.test(pathname);
  const to = (lang: Language) =>
    isSignIn ? signInPath(searchParams.get('to'), { query: { lang } }) : `?lang=${lang}`;
  return html`<footer>${LANGUAGES.map((one) => {
    const mark = one === language ? html` aria-current="true"` : null;
    return html`<a href="${to(one)}" lang="${one}" hreflang="${one}"${mark}>${WORDS[one].languageName}</a> `;
  })}</footer>`;
}
