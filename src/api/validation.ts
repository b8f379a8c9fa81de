import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { type FieldErrors, MAX_FIELDS } from '../domain/errors.js';
import { choices } from '../lib/choices.js';
import { shortened } from '../lib/text.js';
import { isObject, propertiesOf } from './openapi-schema.js';

/** A time in a request: ISO 8601 with a zone, or a day, from the year 1000 on. */
export const MOMENT_PATTERN =
  '^[1-9]\\d{3}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?([Zz]|[+-]\\d{2}:\\d{2}))?$';

/** One line of a mail's header: no control character. */
export const LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A {@link LINE_PATTERN} that is not blank. Neighbours match different characters, so it never backtracks. */
export const FILLED_LINE_PATTERN =
  '^[^\\S\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$';

const LINE = 'must be one line without control characters';
const INVALID = 'is invalid';
const PATTERN_RULES: ReadonlyMap<unknown, string> = new Map([
  [MOMENT_PATTERN, 'must be an ISO 8601 moment with a zone, or a day'],
  [LINE_PATTERN, LINE],
  [FILLED_LINE_PATTERN, `${LINE}, and not blank`],
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

/** The errors of the last failed check, as messages at JSON paths (`ship_data.contact_name`). */
export function fieldErrors(
  errors: readonly ErrorObject[] | null | undefined,
  messageOf: (error: ErrorObject, path: string) => string = messageFor,
): FieldErrors {
  const fields = new Map<string, Set<string>>();
  for (const error of errors ?? []) {
    const path = pathOfError(error) || 'body';
    if (!fields.has(path) && fields.size >= MAX_FIELDS) break;
    fields.set(path, (fields.get(path) ?? new Set()).add(messageOf(error, path)));
  }
  return Object.fromEntries([...fields].map(([path, messages]) => [path, [...messages]]));
}

/** What a value must fulfil, by Ajv's keyword; completes "The … field". */
const RULES: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  required: () => 'is required',
  type: ({ type }) => `must be of type ${String(type).replaceAll(',', ' or ')}`,
  enum: ({ allowedValues }) => `must be one of: ${choices(allowedValues)}`,
  minLength: ({ limit }) => `must have at least ${limit} characters`,
  maxLength: ({ limit }) => `must not have more than ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must not be greater than ${limit}`,
  maxItems: ({ limit }) => `must not have more than ${limit} items`,
  minItems: ({ limit }) => `must have at least ${limit} items`,
  pattern: ({ pattern }) => PATTERN_RULES.get(pattern) ?? INVALID,
  format: ({ format }) => `must be a valid ${format}`,
};

function messageFor({ keyword, params }: ErrorObject, path: string): string {
  return `The ${path} field ${RULES[keyword]?.(params) ?? INVALID}.`;
}

/**
 * Converts query texts to the types of their schema: integers, numbers as in JSON, and `true`, `false`, `1`, `0` as
 * booleans. Values that do not convert stay texts, for validation to report; empty ones, which forms send of the fields
 * that nobody filled in, count as absent.
 */
export function coerceQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (Object.hasOwn(query, name) && query[name] !== '')
      result[name] = coerce(typeOf(property), query[name]);
  }
  return result;
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
    if (single !== undefined) fields[single] = [`The ${single} field must be one value.`];
    else if (filters.length === 0) continue;
    else if (name === 'filter') {
      fields[name] = [`The filter field must name what it filters by: ${filters.join(', ')}.`];
    } else if (name.startsWith('filter[')) {
      const shown = shownPath([name]);
      fields[shown] = [`There is no filter ${shown}; those of this list are: ${filters.join(', ')}.`];
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
