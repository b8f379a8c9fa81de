import { AppError } from '../../../domain/errors.js';
import { type Html, html } from '../../../domain/html.js';
import { type FieldErrors, quoted } from '../../../domain/problems/problem.js';
import type { Words } from './words/en.js';
import { filled } from './words/words.js';

/** Fields of a form that changes a record, with what the record has now; none of them a secret. */
export interface Present {
  names: readonly string[];
  now: URLSearchParams;
}

/**
 * Values of a form that changes a record: the record as it is now, with what the user changed in a refused form; and
 * the hidden field `was` that remembers the former. From an older page only what was changed there is changed.
 */
export function edited(sent: URLSearchParams, { names, now }: Present): { form: URLSearchParams; was: Html } {
  const form = new URLSearchParams(now);
  const isSent = names.some((name) => sent.has(name));
  const was = sent.has('was') ? wasIn(sent) : now;
  for (const name of names) {
    if (!isSent || isSame(sent, was, name)) continue;
    form.delete(name);
    for (const value of sent.getAll(name)) form.append(name, value);
  }
  return { form, was: html`<input type="hidden" name="was" value="${now.toString()}">` };
}

/**
 * The fields that the user changed in the form. A form without `was` means each field as it stands.
 * @throws AppError `validation_failed` for fields that were changed meanwhile too, with their present values
 */
export function changedIn(
  sent: URLSearchParams,
  { names, now }: Present,
  { sentForms, none, yes }: Words,
): ReadonlySet<string> {
  const was = sent.has('was') ? wasIn(sent) : now;
  const changed = names.filter((name) => !isSame(sent, was, name) && !isSame(sent, now, name));
  const fields: FieldErrors = {};
  for (const name of changed.filter((one) => !isSame(was, now, one))) {
    const value = now
      .getAll(name)
      .map((one) => (one === 'on' ? yes : one))
      .join(', ');
    fields[name] = [quoted(filled(sentForms.meanwhile, { value: value === '' ? none : value }))];
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('validation_failed', quoted(sentForms.both), { fields });
  return new Set(changed);
}

/** The values of the fields that were changed. */
export function onlyChanged<T extends object>(changed: ReadonlySet<string>, values: T): Partial<T> {
  const kept: Partial<T> = { ...values };
  for (const name in kept) if (!changed.has(name)) delete kept[name];
  return kept;
}

function wasIn(sent: URLSearchParams): URLSearchParams {
  return new URLSearchParams(sent.get('was') ?? '');
}

function isSame(one: URLSearchParams, other: URLSearchParams, name: string): boolean {
  return valuesOf(one, name) === valuesOf(other, name);
}

/** A field without a value is like one that is missing. Browsers send line breaks as CRLF. */
function valuesOf(form: URLSearchParams, name: string): string {
  const values = form.getAll(name).map((value) => value.replaceAll('\r\n', '\n').trim());
  return JSON.stringify(values.filter((value) => value !== '').toSorted());
}
