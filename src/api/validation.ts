import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { MAX_FIELDS } from '../domain/errors.js';
import { type FieldErrors, type Problem, problemAt } from '../domain/problems/problem.js';
import { shortened } from '../lib/text.js';
import { schemaProblem } from '../services/schema-problems.js';
import { isObject, propertiesOf } from './openapi-schema.js';

/**
 * A time in a request: ISO 8601 with a zone, or a day, from the year 1000 on. Also as programming languages write it by
 * default: `+0200` of PHP, a blank in place of the `T` of Python, `+02:00[Asia/Jerusalem]` of Java.
 */
export const MOMENT_PATTERN =
  '^[1-9]\\d{3}-\\d{2}-\\d{2}' +
  '([Tt ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)? ?([Zz]|[+-]\\d{2}(:?\\d{2})?)(\\[[\\w/+-]+\\])?)?$';

/** One line of a mail's header: no control character. */
export const LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A {@link LINE_PATTERN} that is not blank. Neighbours match different characters, so it never backtracks. */
export const FILLED_LINE_PATTERN =
  '^[^\\S\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$';

const PATTERN_RULES: ReadonlyMap<unknown, 'moment' | 'one_line' | 'filled_line'> = new Map([
  [MOMENT_PATTERN, 'moment'],
  [LINE_PATTERN, 'one_line'],
  [FILLED_LINE_PATTERN, 'filled_line'],
]);

/** Characters that strict JSON readers refuse. With the flag `u` a whole pair is one code point. */
const UNREADABLE = /[\0\p{Surrogate}]/gu;

/**
 * The displayed JSON path of a field (`shipments.3.order.id`): too long ones lose their middle, and NUL and halves of
 * surrogate pairs are replaced, which the database and many clients would refuse as JSON.
 */
export function shownPath(parts: readonly (string | number)[]): string {
  // The keys are the caller's, and stand in an answer many times.
  const path = parts.map((part) => shortened(String(part), 80)).join('.');
  return shortened(path, 200).replace(UNREADABLE, '\ufffd');
}

/** The field of an Ajv error, or the missing one; empty for the whole value. */
function pathOfError({ instancePath, params }: ErrorObject): string {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const missing: unknown = params.missingProperty;
  if (typeof missing === 'string') parts.push(missing);
  return shownPath(parts);
}

/** The errors of the last failed check at JSON paths (`ship_data.contact_name`). */
export function fieldErrors(errors: readonly ErrorObject[] | null | undefined): FieldErrors {
  return byPath(errors, problemOf, ({ text }) => text);
}

/** Makes something of each error, by JSON path; of those with the same text at a path, one. */
export function byPath<T>(
  errors: readonly ErrorObject[] | null | undefined,
  make: (error: ErrorObject, path: string) => T,
  textOf: (made: T) => string,
): Record<string, T[]> {
  const fields = new Map<string, Map<string, T>>();
  for (const error of errors ?? []) {
    const path = pathOfError(error) || 'body';
    if (!fields.has(path) && fields.size >= MAX_FIELDS) break;
    const made = make(error, path);
    fields.set(path, (fields.get(path) ?? new Map<string, T>()).set(textOf(made), made));
  }
  return Object.fromEntries([...fields].map(([path, all]) => [path, [...all.values()]]));
}

/** The broken rule of an Ajv error. */
function problemOf(error: ErrorObject, path: string): Problem {
  const { keyword, params } = error;
  const usual = schemaProblem(error, path, problemAt);
  if (usual !== null) return usual;
  if (keyword === 'additionalProperties') {
    return problemAt(path, 'no_field', { name: shownPath([String(params.additionalProperty)]) });
  }
  if (keyword === 'pattern') return problemAt(path, PATTERN_RULES.get(params.pattern) ?? 'invalid');
  return keyword === 'format' ? formatProblem(path, String(params.format)) : problemAt(path, 'invalid');
}

function formatProblem(path: string, format: string): Problem {
  if (format === 'email') return problemAt(path, 'email');
  return format === 'date' ? problemAt(path, 'date') : problemAt(path, 'format', { format });
}

/**
 * Converts query texts to the types of their schema: integers, numbers as in JSON, and `true`, `false`, `1`, `0` as
 * booleans. Values that do not convert stay texts, for validation to report; empty ones, which forms send of the fields
 * that nobody filled in, count as absent. The blank before a moment's offset becomes the plus that it was.
 */
export function coerceQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (!Object.hasOwn(query, name) || query[name] === '') continue;
    const value = coerce(typeOf(property), query[name]);
    result[name] = isMoment(property) ? withPlus(value) : value;
  }
  return result;
}

function isMoment(schema: unknown): boolean {
  return isObject(schema) && schema.pattern === MOMENT_PATTERN;
}

/** In a query a plus that is not encoded is a blank. */
function withPlus(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/(\d:\d{2}(?:\.\d+)?) +(\d{2}(?::?\d{2})?(?:\[.*)?)$/, '$1+$2')
    : value;
}

/**
 * The ineffective names of a query: a filter that its list lacks, and a list or an object in place of one value, as in
 * `filter[status][]=…`. Ignoring them would silently widen the list; all other unknown names are ignored. Null without
 * any.
 */
export function misreadQuery(schema: TSchema, query: Record<string, unknown>): FieldErrors | null {
  const known = Object.keys(propertiesOf(schema));
  const filters = known.filter((name) => name.startsWith('filter['));
  const fields: FieldErrors = {};
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue;
    const single = known.find((one) => name.startsWith(`${one}[`));
    if (single !== undefined) fields[single] = [problemAt(single, 'one_value')];
    else if (filters.length === 0) continue;
    else if (name === 'filter') {
      fields[name] = [problemAt(name, 'filter_named', { names: filters.join(', ') })];
    } else if (name.startsWith('filter[')) {
      const shown = shownPath([name]);
      fields[shown] = [problemAt(shown, 'no_filter', { names: filters.join(', ') })];
    }
  }
  return Object.keys(fields).length === 0 ? null : fields;
}

function typeOf(schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  const isOfNumbers = Array.isArray(schema.enum) && schema.enum.every(Number.isInteger);
  return isOfNumbers ? 'integer' : schema.type;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function coerce(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'number' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value))) {
    return Number(value);
  }
  if (type === 'boolean') return BOOLEANS.get(value) ?? value;
  return value;
}
