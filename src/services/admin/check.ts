import type { ErrorObject, ValidateFunction } from 'ajv';
import { type Static, type TProperties, Type } from 'typebox';
import { isDuplicateKey } from '../../db/database.js';
import { AppError, validationError } from '../../domain/errors.js';
import {
  adminProblemAt,
  type FieldErrors,
  type Problem,
  quoted,
  type Rule,
  type ValuesOf,
} from '../../domain/problems/problem.js';
import { israelDayEnd, israelDayStart } from '../../lib/israel-time.js';
import { valueAt } from '../../lib/json.js';
import { compileOnUse } from '../../lib/schema.js';
import { schemaProblem } from '../schema-problems.js';

/** The command cannot be carried out; the message says why, for the operator. */
export class AdminError extends Error {
  readonly problem: Problem;

  constructor(message: string | Problem) {
    const problem = typeof message === 'string' ? quoted(message) : message;
    super(problem.text);
    this.problem = problem;
  }
}

/** A request for a check, its values unchecked. */
export type Given<C extends (request: never) => unknown> = Parameters<C>[0];

export const Name = Type.String({ minLength: 1, maxLength: 255 });
export const Id = Type.Integer({ minimum: 1 });
export const Email = Type.String({ format: 'email', maxLength: 255 });
/** A time for {@link momentOf}. */
export const Moment = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const Page = {
  afterId: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
};

/**
 * The check of requests with these fields and no others; undefined fields count as missing. It returns the request.
 * @throws AppError `validation_failed`, each field with the broken rule
 */
export function requestCheck<F extends TProperties>(fields: F) {
  const schema = Type.Object(fields, { additionalProperties: false });
  const compiled = compileOnUse<Static<typeof schema>>(schema);
  return (request: { readonly [K in keyof F]?: unknown }) => {
    const given: unknown = Object.fromEntries(
      Object.entries(request).filter(([, value]) => value !== undefined),
    );
    const check = compiled();
    if (check(given)) return given;
    throw validationError(brokenRules(check));
  };
}

const checkPage = requestCheck(Page);

/** The page that a list shows: by default the first 100 rows. @throws AppError `validation_failed` */
export function pageOf(request: Given<typeof checkPage>) {
  const { afterId = 0, limit = 100 } = checkPage(request);
  return { afterId, limit };
}

const checkAccountPage = requestCheck({ account: Type.Optional(Id), ...Page });

/** The rows that a list shows: of one account or of all, and the page. @throws AppError `validation_failed` */
export function accountPageOf(request: Given<typeof checkAccountPage>) {
  const { account: accountId, ...page } = checkAccountPage(request);
  return { accountId, ...pageOf(page) };
}

/**
 * The rules that the last validation found broken, by field. `root`: path of the checked object in messages, such as
 * `settings`; empty for the request.
 */
export function brokenRules(check: ValidateFunction, root = ''): FieldErrors {
  const fields = new Map<string, Map<string, Problem>>();
  const errors = check.errors ?? [];
  for (const error of errors) {
    const path = pathOf(error, root);
    const problem = problemOf(path, { error, all: errors, schema: schemaAt(check.schema, error.schemaPath) });
    if (problem === null) continue;
    fields.set(path, (fields.get(path) ?? new Map<string, Problem>()).set(problem.text, problem));
  }
  return Object.fromEntries([...fields].map(([path, problems]) => [path, [...problems.values()]]));
}

/** The error of one field. */
export function fieldError<R extends Rule>(field: string, rule: R, ...values: ValuesOf<R>): AppError {
  return validationError({ [field]: [adminProblemAt(field, rule, ...values)] });
}

/**
 * Runs checks, so that a person reads at once what is wrong with any field. @throws AppError `validation_failed` with
 * the fields that they refuse
 */
export function reportTogether(checks: readonly (() => unknown)[]): void {
  const fields: FieldErrors = {};
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof AppError) || error.fields === undefined) throw error;
      Object.assign(fields, error.fields);
    }
  }
  if (Object.keys(fields).length > 0) throw validationError(fields);
}

/** Throws {@link fieldError}, such as in place of a record that nobody has. */
export function refuse<R extends Rule>(field: string, rule: R, ...values: ValuesOf<R>): never {
  throw fieldError(field, rule, ...values);
}

/** Handles a duplicate key as the error of the field that must be unique; other errors stay. */
export function takenAs(field: string, taken: string): (error: unknown) => never {
  return (error) => {
    throw isDuplicateKey(error) ? fieldError(field, 'taken', { taken }) : error;
  };
}

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Parses `2027-01-31` (the day in Israel, its `start` or its `end`) or `2027-01-31T12:00:00+02:00` to ISO 8601 UTC
 * with microseconds. Null and `never` become null; undefined stays. @throws AppError `validation_failed`
 */
export function momentOf(
  field: string,
  value: string | null | undefined,
  dayAt: 'start' | 'end',
): string | null | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === 'never') return null;
  const [, year, month, day] = MOMENT.exec(value) ?? [];
  // Our own output has microseconds, which a Date cuts.
  const date = new Date(value);
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (day === undefined || Number(day) > days || Number.isNaN(date.getTime())) {
    throw fieldError(field, 'admin_moment');
  }
  const ofDay = dayAt === 'start' ? israelDayStart(value) : israelDayEnd(value);
  return ofDay ?? date.toISOString().replace('Z', '000Z');
}

function pathOf({ instancePath, params }: ErrorObject, root: string): string {
  const parts = instancePath.split('/').slice(1);
  const named: unknown = params.missingProperty ?? params.additionalProperty;
  if (typeof named === 'string') parts.push(named);
  return [...(root === '' ? [] : [root]), ...parts].join('.') || 'request';
}

/** The problem of an error; null where others say it. `schema`: the one that the value breaks. */
function problemOf(
  path: string,
  { error, all, schema }: { error: ErrorObject; all: readonly ErrorObject[]; schema: unknown },
): Problem | null {
  const { keyword, params, message = 'is wrong' } = error;
  const usual = schemaProblem(error, path, adminProblemAt);
  if (usual !== null) return usual;
  switch (keyword) {
    case 'additionalProperties':
      return unknownName(path, Object.keys(Object(valueAt(schema, 'properties'))));
    case 'const':
      return adminProblemAt(path, 'choice', { choices: allowedAt(error.instancePath, all).join(', ') });
    case 'anyOf':
    case 'if':
      // Reported by its branches.
      return null;
    case 'pattern':
      return formOf(path, schema) ?? adminProblemAt(path, 'match', { pattern: String(params.pattern) });
    case 'format':
      if (params.format === 'email') return adminProblemAt(path, 'email');
      return adminProblemAt(path, 'format', { format: String(params.format) });
    default:
      return adminProblemAt(path, 'schema', { text: message });
  }
}

function allowedAt(path: string, errors: readonly ErrorObject[]): string[] {
  return errors
    .filter(({ keyword, instancePath }) => keyword === 'const' && instancePath === path)
    .map(({ params }) => String(params.allowedValue));
}

function unknownName(path: string, known: readonly string[]): Problem {
  if (known.length === 0) return adminProblemAt(path, 'no_names');
  return adminProblemAt(path, 'unknown_name', { names: known.join(', ') });
}

/** The form of a text by its schema's example; null without one. */
function formOf(path: string, schema: unknown): Problem | null {
  if (valueAt(schema, 'x-secret') === true) return adminProblemAt(path, 'secret_form');
  const examples = valueAt(schema, 'examples');
  return Array.isArray(examples) ? adminProblemAt(path, 'like', { example: examples.join(' or ') }) : null;
}

/** The schema whose keyword a path (`#/properties/…/pattern`) names. */
function schemaAt(schema: unknown, schemaPath: string): unknown {
  const steps = schemaPath.split('/').slice(1, -1);
  return valueAt(
    schema,
    ...steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')),
  );
}
