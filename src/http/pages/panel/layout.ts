import { type Html, html, type Part } from '../../../domain/html.js';
import type { Words } from './words/en.js';

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

/** Attributes of an element: true alone by its name, false and undefined not at all. */
export function attributesOf(
  attributes: Readonly<Record<string, string | number | boolean | undefined>>,
): Part {
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

function formatOf(locale: string, timeStyle?: 'short'): Intl.DateTimeFormat {
  const key = `${locale} ${timeStyle}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'short',
      timeStyle,
      timeZone: 'Asia/Jerusalem',
      numberingSystem: 'latn',
    });
  formats.set(key, format);
  return format;
}

/** The day in Israel of a moment, in the language's own form. */
export function day(iso: string, { locale }: Words): string {
  return formatOf(locale).format(new Date(iso));
}

/** A moment in the language's own form, in Israel's time. */
export function moment(iso: string | null, { locale }: Words): Html | null {
  if (iso === null) return null;
  return html`<time datetime="${iso}">${formatOf(locale, 'short').format(new Date(iso))}</time>`;
}
