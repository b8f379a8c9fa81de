import type { ErrorObject, ValidateFunction } from 'ajv';
import { Type } from 'typebox';
import { type AppError, type FieldErrors, validationError } from '../../domain/errors.js';
import { choices } from '../../lib/choices.js';

/** A request before it is checked: the fields of `T` with any values. A request of the right type is one, too. */
export type Given<T> = { readonly [K in keyof T]?: unknown };

/** A name or title: 1–255 characters. */
export const Name = Type.String({ minLength: 1, maxLength: 255 });
/** Id of a row. */
export const Id = Type.Integer({ minimum: 1 });
/** An e-mail address. */
export const Email = Type.String({ format: 'email', maxLength: 255 });
/** An instant, as {@link momentOf} reads it. */
export const Moment = Type.Unsafe<string | null>({ type: ['string', 'null'] });
/** Which part of a list. */
export const Page = {
  afterId: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
};

/** First page, 100 rows, where nothing else was asked for. */
export function pageOf(request: { afterId?: number; limit?: number }): { afterId: number; limit: number } {
  return { afterId: request.afterId ?? 0, limit: request.limit ?? 100 };
}

/**
 * The request, if it is as its schema says; undefined fields count as left out.
 * @param root path of the checked object in the messages, such as `settings`; empty for the request itself
 * @throws AppError `validation_failed`, each field with the rule that it breaks
 */
export function checked<T>(check: ValidateFunction<T>, request: object, root = ''): T {
  const given: unknown = Object.fromEntries(
    Object.entries(request).filter(([, value]) => value !== undefined),
  );
  if (check(given)) return given;
  throw validationError(brokenRules(check, root));
}

/** The rules that the last check found broken, by field. */
export function brokenRules(check: ValidateFunction, root: string): FieldErrors {
  const fields = new Map<string, Set<string>>();
  const errors = check.errors ?? [];
  for (const error of errors) {
    const path = pathOf(error, root);
    const rule = ruleOf(error, errors, knownNames(check.schema, error.schemaPath));
    if (rule === null) continue;
    fields.set(path, (fields.get(path) ?? new Set()).add(`${path} ${rule}`));
  }
  return Object.fromEntries([...fields].map(([path, rules]) => [path, [...rules]]));
}

/** One field's error. The rule goes on after the field's name: `must be …`. */
export function fieldError(field: string, rule: string): AppError {
  return validationError({ [field]: [`${field} ${rule}`] });
}

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * `2027-01-31` (00:00 UTC of that day) or `2027-01-31T12:00:00+02:00` as ISO 8601 UTC with microseconds; null and
 * `never` are null, undefined stays it.
 * @throws AppError `validation_failed`
 */
export function momentOf(field: string, value: string | null | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === 'never') return null;
  // What we print may be given back: the microseconds of a stored instant are zeros.
  const text = value.replace(/(\.\d{3})0{3}(?=Z$)/, '$1');
  const [, year, month, day] = MOMENT.exec(text) ?? [];
  const date = new Date(text);
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (day === undefined || Number(day) > days || Number.isNaN(date.getTime())) {
    throw fieldError(field, 'must be a date like 2027-01-31, an instant like 2027-01-31T22:00:00Z, or never');
  }
  return date.toISOString().replace('Z', '000Z');
}

function pathOf({ instancePath, params }: ErrorObject, root: string): string {
  const parts = instancePath.split('/').slice(1);
  const named: unknown = params.missingProperty ?? params.additionalProperty;
  if (typeof named === 'string') parts.push(named);
  return [...(root === '' ? [] : [root]), ...parts].join('.') || 'request';
}

function ruleOf(error: ErrorObject, all: readonly ErrorObject[], known: readonly string[]): string | null {
  const { keyword, params, message } = error;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return known.length === 0
        ? 'is not known: there are none'
        : `is not known; there are: ${known.join(', ')}`;
    case 'enum':
      return `must be one of: ${choices(params.allowedValues)}`;
    case 'const':
      return `must be one of: ${allowedAt(error.instancePath, all).join(', ')}`;
    case 'anyOf':
      // Its branches say it.
      return null;
    case 'type':
      return `must be ${String(params.type).replaceAll(',', ' or ')}`;
    case 'pattern':
      return `must match ${params.pattern}`;
    case 'format':
      return params.format === 'email' ? 'must be an e-mail address' : `must be a valid ${params.format}`;
    case 'minLength':
      return `must have at least ${params.limit} character${params.limit === 1 ? '' : 's'}`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    default:
      return message ?? 'is wrong';
  }
}

function allowedAt(path: string, errors: readonly ErrorObject[]): string[] {
  return errors
    .filter(({ keyword, instancePath }) => keyword === 'const' && instancePath === path)
    .map(({ params }) => String(params.allowedValue));
}

/** The fields of the object whose `additionalProperties` the path of the schema (`#/properties/…`) ends in. */
function knownNames(schema: unknown, schemaPath: string): string[] {
  let part = schema;
  for (const step of schemaPath.split('/').slice(1, -1)) part = property(part, step);
  const properties = property(part, 'properties');
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
