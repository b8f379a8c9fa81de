import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { PanelSession } from '../../../db/queries/accounts/panel-sessions.js';
import { Html, html, type Part } from '../../../domain/html.js';
import { may, type Right } from '../../../domain/panel-roles.js';
import { LANGUAGES, type Language } from '../../../domain/recipient-words/language.js';
import { signInPath } from './way-back.js';
import type { Words } from './words/en.js';
import { WORDS } from './words/words.js';

const ASKED_MS = 30_000;

/** What the frame of a page shows. */
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

/** What `panel.js` says while the service does not answer; `time` is filled in there. */
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

/** A labelled field; `error` stands below it. */
export function field(
  name: string,
  label: string,
  { id = name, type = 'text', value = '', hint, error, ltr = false, ...attributes }: FieldOptions = {},
): Html {
  const { required = false } = attributes;
  return labelled(
    { name: id, label, required, hint, error },
    (described) =>
      html`<input id="${id}" name="${name}" type="${type}" value="${value}"${ltr ? html` dir="ltr"` : null}${attributesOf(attributes)}${described}>`,
  );
}

interface LabelledControl {
  name: string;
  label: string;
  required: boolean;
  hint: string | undefined;
  error: string | undefined;
}

/** A control below its label, and above its hint and error. `control` takes the attributes that point at these. */
export function labelled(
  { name, label, required, hint, error }: LabelledControl,
  control: (described: Part) => Html,
): Html {
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
  ];
  const described = [
    ids.length === 0 ? null : html` aria-describedby="${ids.join(' ')}"`,
    // The first one has the focus, where no sentence above the form has it.
    error === undefined ? null : html` aria-invalid="true" autofocus`,
  ];
  return html`<div class="field${error === undefined ? '' : ' wrong'}">
<label for="${name}">${label}${required ? html` <span aria-hidden="true">*</span>` : null}</label>
${control(described)}
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error === undefined ? null : html`<p class="error" id="${name}-error" dir="auto">${error}</p>`}
</div>`;
}

interface FieldOptions {
  /** Where the page has several fields of the name; the name by default. */
  id?: string;
  type?: string;
  value?: string;
  hint?: string;
  error?: string | undefined;
  /** For codes, phones and addresses of machines, which read from left to right in every language. */
  ltr?: boolean;
  required?: boolean;
  autocomplete?: string;
  inputmode?: string;
  /** Id of a list of suggestions. */
  list?: string;
  minlength?: number;
  maxlength?: number;
  min?: number;
  max?: number;
}

function attributesOf(attributes: Readonly<Record<string, string | number | boolean | undefined>>): Part {
  return Object.entries(attributes).map(([name, value]) => {
    if (value === undefined || value === false) return null;
    return value === true ? html` ${name}` : html` ${name}="${String(value)}"`;
  });
}

/** A labelled choice. `options`: value and text. */
export function select(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen = '',
): Html {
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${options.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`,
  )}</select></div>`;
}

/** A column of a table: its head, and its cell for one of what the table lists. */
export type Column<T> = readonly [head: Part, cell: (one: T) => Part];

/** A table in a box that scrolls on a narrow screen. `label` names it. */
export function table<T>(
  words: Words,
  label: string,
  list: readonly T[],
  columns: readonly Column<T>[],
): Html {
  if (list.length === 0) return html`<p class="nothing">${words.nothing}</p>`;
  const row = (one: T) => html`<tr>${columns.map(([, cell]) => html`<td>${cell(one)}</td>`)}</tr>
`;
  return html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map(([head]) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${list.map(row)}</tbody>
</table></div>`;
}

/** Names with their values; null values are left out. */
export function facts(list: readonly (readonly [name: string, value: Part])[]): Html {
  return html`<dl class="facts">${list.map(([name, value]) =>
    value === null || value === '' ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** A code, phone or address of a machine. */
export function code(text: string | null): Html | null {
  return text === null || text === '' ? null : html`<bdi dir="ltr" class="code">${text}</bdi>`;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const days = new Map<string, Intl.DateTimeFormat>();

/** The day in Israel of a moment, in the language's own form. */
export function day(iso: string, { locale }: Words): string {
  const format =
    days.get(locale) ??
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'short',
      timeZone: 'Asia/Jerusalem',
      numberingSystem: 'latn',
    });
  days.set(locale, format);
  return format.format(new Date(iso));
}

/** A moment in the language's own form, in Israel's time. */
export function moment(iso: string | null, { locale }: Words): Html | null {
  if (iso === null) return null;
  const format =
    formats.get(locale) ??
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'short',
      timeStyle: 'short',
      timeZone: 'Asia/Jerusalem',
      numberingSystem: 'latn',
    });
  formats.set(locale, format);
  return html`<time datetime="${iso}">${format.format(new Date(iso))}</time>`;
}
