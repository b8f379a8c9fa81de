import type { ErrorObject } from 'ajv';
import type { TSchema } from 'typebox';
import { type FieldErrors, MAX_FIELDS } from '../domain/errors.js';
import { choices } from '../lib/choices.js';
import { pathOfError, shownPath } from './field-path.js';

/** A time in a request: ISO 8601 with a zone, or a day, from the year 1000 on. */
export const MOMENT_PATTERN =
  '^[1-9]\\d{3}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?([Zz]|[+-]\\d{2}:\\d{2}))?$';

/** One line of a mail's header: no control character. */
export const LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A {@link LINE_PATTERN} that is not blank. Neighbours match different characters, so it never backtracks. */
export const FILLED_LINE_PATTERN =
  '^[^\\S\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$';

const LINE = 'must be one line without control characters';
const PATTERN_MESSAGES: ReadonlyMap<unknown, string> = new Map([
  [MOMENT_PATTERN, 'must be an ISO 8601 moment with a zone, or a day'],
  [LINE_PATTERN, LINE],
  [FILLED_LINE_PATTERN, `${LINE}, and not blank`],
]);

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

function messageFor({ keyword, params }: ErrorObject, path: string): string {
  switch (keyword) {
    case 'required':
      return `The ${path} field is required.`;
    case 'type':
      return `The ${path} field must be of type ${String(params.type).replaceAll(',', ' or ')}.`;
    case 'enum':
      return `The ${path} field must be one of: ${choices(params.allowedValues)}.`;
    case 'minLength':
      return `The ${path} field must have at least ${params.limit} characters.`;
    case 'maxLength':
      return `The ${path} field must not have more than ${params.limit} characters.`;
    case 'minimum':
      return `The ${path} field must be at least ${params.limit}.`;
    case 'maximum':
      return `The ${path} field must not be greater than ${params.limit}.`;
    case 'maxItems':
      return `The ${path} field must not have more than ${params.limit} items.`;
    case 'minItems':
      return `The ${path} field must have at least ${params.limit} items.`;
    case 'pattern':
      return `The ${path} field ${PATTERN_MESSAGES.get(params.pattern) ?? 'is invalid'}.`;
    case 'format':
      return `The ${path} field must be a valid ${params.format}.`;
    default:
      return `The ${path} field is invalid.`;
  }
}

/**
 * Converts query texts to the types of their schema: integers, numbers as in JSON, and `true`, `false`, `1`, `0` as
 * booleans. Values that do not convert stay texts, for validation to report.
 */
export function coerceQuery(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (Object.hasOwn(query, name)) result[name] = coerce(typeOf(property), query[name]);
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

function propertiesOf(schema: TSchema): object {
  const properties: unknown = Reflect.get(schema, 'properties');
  return typeof properties === 'object' && properties !== null ? properties : {};
}

function typeOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const values: unknown = Reflect.get(schema, 'enum');
  const isOfNumbers = Array.isArray(values) && values.every(Number.isInteger);
  return isOfNumbers ? 'integer' : Reflect.get(schema, 'type');
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
