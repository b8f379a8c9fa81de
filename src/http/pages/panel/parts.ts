import type { CursorMetaBody } from '../../../api/v2/schemas.js';
import type { KeysetPage } from '../../../db/queries/keyset.js';
import { type Html, html, type Part } from '../../../domain/html.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { attributesOf, code, field, labelled, select } from './layout.js';
import type { Live, ScreenPage, Visit } from './screen.js';
import type { Refusal } from './told.js';

/** A refusal in a sentence. It has the focus when its page is loaded. */
export function alertLine(message: string): Html {
  return html`<p class="error" role="alert" dir="auto" tabindex="-1" autofocus>${message}</p>`;
}

/** The sentence above a refused form. */
export function alert(refusal: Refusal | null): Html | null {
  return refusal === null ? null : alertLine(refusal.message);
}

/**
 * Makes fields of a form by their names: each has its value in the form, and what a refusal says of it. `prefix`: of
 * the names in the refusal.
 */
export function fieldsOf(form: URLSearchParams, refusal: Refusal | null, prefix = ''): typeof field {
  return (name, label, options) =>
    field(name, label, {
      value: form.get(name) ?? '',
      error: refusal?.fields[prefix + name]?.[0],
      ...options,
    });
}

/** Secrets that no other page shows, below a line that says so. `secrets`: what each is for, and its text. */
export function shownOnce(
  text: Part,
  secrets: readonly (readonly [name: string | null, secret: string])[],
): Html {
  return html`<section class="notice" role="status"><p>${text}</p>
${secrets.map(([name, secret]) => html`<p class="secret">${name === null ? null : html`${name}: `}${code(secret)}</p>`)}</section>`;
}

interface TextAreaOptions {
  value: string;
  error?: string | undefined;
  hint?: string;
  /** `ltr` for what machines read; `auto` for lines that may each be in another direction. */
  direction: 'ltr' | 'auto';
  rows?: number;
  required?: boolean;
  maxlength?: number;
}

/** A labelled field of several lines; `error` stands below it. */
export function textArea(
  name: string,
  label: string,
  { value, error, hint, direction, rows = 12, required = true, maxlength }: TextAreaOptions,
): Html {
  // The first line break after the tag is not part of the value.
  return labelled(
    { name, label, required, hint, error },
    (
      described,
    ) => html`<textarea id="${name}" name="${name}" rows="${rows}"${attributesOf({ required, maxlength })} dir="${direction}"${described}>
${value}</textarea>`,
  );
}

/** A group of boxes to tick, all of one name. `options`: value and text. */
export function checks(
  name: string,
  legend: string,
  options: readonly (readonly [value: string, text: Part])[],
  { chosen, error }: { chosen: readonly string[]; error?: string | undefined },
): Html {
  const describedBy = error === undefined ? null : html` aria-describedby="${name}-error"`;
  return html`<fieldset class="checks"${describedBy}><legend>${legend}</legend>
${options.map(([value, text]) => checkbox(name, text, { value, isChecked: chosen.includes(value) }))}
${error === undefined ? null : html`<p class="error" id="${name}-error" dir="auto">${error}</p>`}
</fieldset>`;
}

/** One box to tick. */
export function checkbox(
  name: string,
  text: Part,
  { value, isChecked }: { value: string; isChecked: boolean },
): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${isChecked ? html` checked` : null}> <span>${text}</span></label>
`;
}

/** A button that asks first: it stands behind a summary with the same text. `more`: fields below the question. */
export function confirmed(
  action: string,
  texts: { button: string; question: string },
  more: Html | null = null,
): Html {
  return html`<details><summary class="button">${texts.button}</summary>
<form method="post" action="${action}"><p>${texts.question}</p>${more}
<button class="danger">${texts.button}</button></form></details>`;
}

/** A list of suggestions for a field whose `list` is this id. */
export function suggestions(id: string, values: readonly string[]): Html {
  return html`<datalist id="${id}">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`;
}

/** A form that is one button. `more`: hidden fields. */
export function actionButton(action: string, text: string, rank = 'second', more: Html | null = null): Html {
  return html`<form method="post" action="${action}">${more}<button class="${rank}">${text}</button></form>`;
}

/** A value that a form carries without showing it. */
export function chosen(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** The choice of shipments with or without a label. */
export function labelChoice({ words: { shipments: texts } }: Pick<Visit, 'words'>, value: string): Html {
  const labels = Object.entries({ '': texts.anyLabel, true: texts.withLabel, false: texts.withoutLabel });
  return select('label', texts.label, labels, value);
}

/**
 * The rows of a page of a list by id; one row more than it shows tells whether there is a next page. `name`: of the
 * query's value, where a page has several lists.
 */
export function idPage({ query }: Pick<Visit, 'query'>, name = 'after'): { afterId: number; limit: number } {
  return { afterId: Number(query.get(name)) || 0, limit: LIMITS.panel.pageRows + 1 };
}

/** As {@link idPage} for a list by descending id, whose query adds the one row more by itself. */
export function keysetPage({ query }: Pick<Visit, 'query'>): KeysetPage {
  const after = Number(query.get('after')) || undefined;
  return { limit: LIMITS.panel.pageRows, ...(after === undefined ? {} : { after }) };
}

/** The rows that a page shows of those found, and the link to the next page. `to`: its address after a row. */
export function shownOf<T extends { id: number }>(
  found: readonly T[],
  { words }: Pick<Visit, 'words'>,
  to = (after: string) => `?after=${after}`,
): { shown: readonly T[]; next: Html | null } {
  const shown = found.slice(0, LIMITS.panel.pageRows);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const next =
    last === undefined ? null : html`<p class="pages"><a href="${to(String(last.id))}">${words.next}</a></p>`;
  return { shown, next };
}

/** The rows of a page of a list of API v2: of a status, from a cursor on. */
export function cursorPage({ query }: Pick<Visit, 'query'>, status: string | undefined) {
  const cursor = query.get('cursor') ?? '';
  return { per_page: LIMITS.panel.pageRows, 'filter[status]': status, cursor };
}

/** Links to the pages beside this one. */
export function cursorPages(
  { query, words }: Pick<Visit, 'query' | 'words'>,
  { prev_cursor, next_cursor }: Pick<CursorMetaBody, 'prev_cursor' | 'next_cursor'>,
): Html | null {
  if (prev_cursor === null && next_cursor === null) return null;
  const link = (cursor: string | null, text: string) =>
    cursor === null ? null : html`<a href="${queryWith(query, { cursor })}">${text}</a> `;
  return html`<nav class="pages" aria-label="${words.pages}">${link(prev_cursor, words.previous)}${link(next_cursor, words.next)}</nav>`;
}

/** The page's own query with other values, as a relative URL. */
export function queryWith(query: URLSearchParams, values: Readonly<Record<string, string>>): string {
  const wanted = new URLSearchParams(query);
  wanted.delete('notice');
  wanted.delete('cursor');
  for (const [name, value] of Object.entries(values)) wanted.set(name, value);
  return `?${wanted.toString()}`;
}

/** The event that `panel.js` sends to an element whose request has failed. */
const AGAIN = 'again';

/** Has script ask for an element again and again, also after a failure. */
export function polls(url: string, seconds: number): Html {
  return html` hx-get="${url}" hx-trigger="every ${seconds}s, ${AGAIN}" hx-swap="outerMorph"`;
}

/** A live part in its page: while it is open, script follows its stream. */
function followed({ url }: Pick<Visit, 'url'>, { id, content, isOpen }: Live): Html {
  const stream = url.replace(/^\/panel\//, '/panel/live/');
  const attributes = html` hx-sse:connect="${stream}" hx-sse:close="end" hx-trigger="load, ${AGAIN}" hx-swap="innerMorph"`;
  return html`<div id="${id}"${isOpen ? attributes : null}>${content}</div>`;
}

/** A live part that has no stream: while it is open, script asks for it again and again. */
function renewed({ url }: Pick<Visit, 'url'>, { id, content, isOpen }: Live): Html {
  const attributes = polls(url, LIMITS.panel.renewedSeconds);
  return html`<div id="${id}"${isOpen ? attributes : null}>${content}</div>`;
}

/** A page with a live part. `main`: what is around it. */
export function livePage(
  visit: Pick<Visit, 'url'>,
  page: Omit<ScreenPage, 'main' | 'part' | 'live'> & { live: Live; main: (part: Html) => Html },
): ScreenPage {
  const { live, main, ...head } = page;
  return { ...head, main: main(followed(visit, live)), part: renewed(visit, live), live };
}

/** A state, colored by its name. */
export function state(name: string, text: string): Html {
  return html`<span class="status ${name}">${text}</span>`;
}

/** Text of a machine with its line breaks, in a box that scrolls. */
export function source(label: string, text: string): Html {
  return html`<pre class="source" dir="ltr" tabindex="0" role="region" aria-label="${label}">${text}</pre>`;
}

/** The choice of what a parcel is for: by its number in the API. */
export function serviceTypes({ form }: Visit['words']): readonly (readonly [type: string, text: string])[] {
  return [
    ['1', form.delivery],
    ['2', form.collection],
  ];
}
