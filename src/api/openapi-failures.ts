import type { TSchema } from 'typebox';
import { ERROR_STATUS, type ErrorCode } from '../domain/errors.js';
import { textsOf } from '../domain/problems/problem.js';
import { ERROR_HELP } from './error-help.js';
import { READ_ONLY } from './errors.js';
import type { Json } from './openapi-document.js';
import { headerRefs, RATE_HEADERS } from './openapi-parts.js';
import { isObject, propertiesOf } from './openapi-schema.js';
import { type Route, takesBody } from './route.js';
import { fieldErrors } from './validation.js';

/** A route's failures by status: the codes of one status share one response. */
export function failures(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, codes]): [string, Json] => [
    String(status),
    failure(route, status, codes),
  ]);
  const notModified = {
    304: {
      description: 'Not modified: the body is the one that If-None-Match names.',
      headers: headerRefs(['X-Request-Id', 'ETag']),
    },
  };
  return { ...(route.method === 'get' ? notModified : {}), ...Object.fromEntries(entries) };
}

/** All error codes that a route can answer with. */
function errorCodesOf(route: Route): Set<ErrorCode> {
  const hasInput = Object.keys(propertiesOf(route.schemas.query)).length > 0;
  return new Set<ErrorCode>([
    ...(takesBody(route) ? (['malformed_json', 'unsupported_media_type'] as const) : []),
    ...(route.public ? [] : (['unauthenticated'] as const)),
    'rate_limited',
    ...(mayBeForbidden(route) ? (['forbidden'] as const) : []),
    'payload_too_large',
    ...(takesBody(route) || hasInput || route.license === 'one' ? (['validation_failed'] as const) : []),
    ...(route.errors ?? []),
    'internal_error',
    ...(route.public ? [] : (['service_unavailable'] as const)),
  ]);
}

/** Where a license is chosen, or something is changed, for which read-only credentials are not enough. */
function mayBeForbidden(route: Route): boolean {
  return !route.public && (route.license !== 'none' || route.method !== 'get');
}

function meaningOf({ license, method }: Route, code: ErrorCode): string {
  if (code !== 'forbidden' || method === 'get') return ERROR_HELP[code].meaning;
  const readOnly = 'the credentials are read-only';
  return license === 'none' ? readOnly : `${ERROR_HELP[code].meaning}, or ${readOnly}`;
}

function failure(route: Route, status: number, codes: readonly ErrorCode[]): Json {
  const waits = status === 429 || status === 503 ? ['Retry-After'] : [];
  const limits = status === 429 ? RATE_HEADERS : [];
  const codings = status === 415 ? ['Accept-Encoding'] : [];
  const examples = codes.map((code): [string, Json] => [
    code,
    { summary: meaningOf(route, code), value: { error: errorExample(route, code) } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${meaningOf(route, code)}.`).join(' '),
    headers: headerRefs(['X-Request-Id', 'Link', ...limits, ...waits, ...codings]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ApiError' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function errorExample(route: Route, code: ErrorCode): Json {
  const status = ERROR_STATUS[code];
  if (code !== 'validation_failed') {
    const usual = code === 'forbidden' && route.license === 'none' ? READ_ONLY : ERROR_HELP[code].message;
    return { code, message: route.errorMessages?.[code] ?? usual, status };
  }
  const fields = wrongInput(route);
  return { code, message: Object.values(fields)[0]?.[0] ?? '', status, fields };
}

/** The validation errors of a likely wrong input: a required field is missing, or a value is out of range. */
function wrongInput({ schemas, ...route }: Route): Record<string, string[]> {
  const body = takesBody(route) ? schemas.body : undefined;
  const error = (body && missingIn(body, '')) ?? (body && wrongIn(body)) ?? wrongIn(schemas.query);
  if (error !== undefined) return textsOf(fieldErrors([{ schemaPath: '', ...error }]));
  return route.license === 'one'
    ? { license_key: ['The license_key field is required when the account has several active licenses.'] }
    : { note: ['The note field holds NUL or half of a surrogate pair.'] };
}

/** An error as Ajv would report it. */
interface Failed {
  keyword: string;
  instancePath: string;
  params: Json;
}

/** The first required field that is no object itself. */
function missingIn(schema: TSchema, instancePath: string): Failed | undefined {
  const required: unknown = Reflect.get(schema, 'required');
  const first: unknown = Array.isArray(required) ? required[0] : undefined;
  if (typeof first !== 'string') return undefined;
  const inner = propertiesOf(schema)[first];
  const deeper = isObject(inner) ? missingIn(inner, `${instancePath}/${first}`) : undefined;
  return deeper ?? { keyword: 'required', instancePath, params: { missingProperty: first } };
}

/** Keywords with one number or list, and the parameter in which Ajv reports it. */
const BOUNDS = { minimum: 'limit', enum: 'allowedValues', maxLength: 'limit' };

/** The first field, the license apart, whose value is bounded. */
function wrongIn(schema: TSchema): Failed | undefined {
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    if (!isObject(property) || name === 'license_key') continue;
    const bound = Object.entries(BOUNDS).find(([keyword]) => property[keyword] !== undefined);
    const instancePath = `/${name}`;
    if (bound !== undefined) {
      const [keyword, param] = bound;
      return { keyword, instancePath, params: { [param]: property[keyword] } };
    }
    if (property['type'] === 'boolean') return { keyword: 'type', instancePath, params: { type: 'boolean' } };
  }
  return undefined;
}
