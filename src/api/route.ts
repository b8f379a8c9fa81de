import type { IncomingHttpHeaders } from 'node:http';
import { type Static, type TSchema, Type } from 'typebox';
import type { LicenseSummary } from '../db/queries/accounts/accounts.js';
import type { AuditAction } from '../domain/audit.js';
import { type ErrorCode, notFound, validationError } from '../domain/errors.js';
import { compileOnUse } from '../lib/schema.js';
import { textsWithoutMarks } from '../lib/sent-text.js';
import type { HttpApp } from './http-app.js';
import { type RequestBody, unsafeFields } from './json-body.js';
import {
  type BaseRequest,
  type MountedRoute,
  type Operation,
  type Reply,
  responseCheck,
} from './operation.js';
import { coerceQuery, fieldErrors, misreadQuery } from './validation.js';

/**
 * `none`: the route belongs to the account. `one`: exactly one usable license. `many`: the named license, else every
 * usable one.
 */
type LicenseMode = 'none' | 'one' | 'many';

/** The published part of a route, and the pipeline's settings. */
interface RouteMeta extends Operation {
  /** True if no credentials are needed. */
  public?: boolean;
  license: LicenseMode;
  /** The name of the act in the audit, for a route that changes something. */
  audit?: AuditAction;
  /** True if a POST works without a body. */
  bodyOptional?: boolean;
  /** True if the route accepts an `Idempotency-Key`. */
  idempotent?: boolean;
  bodyExample?: unknown;
  /** Transforms the body for validation and the handler. */
  readTexts?: (body: unknown) => unknown;
  /** Replaces `parseJson`, with the same result type. */
  readBody?: (
    bytes: Buffer,
    request: Pick<CheckedRequest, 'accountId' | 'headerValues' | 'query'> & { app: HttpApp },
  ) => Promise<RequestBody>;
  /** Errors beside those implied by the rest: credentials, license, body, validation, server. */
  errors?: readonly ErrorCode[];
  /** Messages of this route that replace the document's own. */
  errorMessages?: Partial<Record<ErrorCode, string>>;
}

/** Accepts nothing: unknown query parameters and body fields are ignored. */
const NOTHING = Type.Object({});

/** A request that passed credentials, rate limit, parsing and license, but is not validated yet. */
export interface CheckedRequest extends BaseRequest {
  headers: IncomingHttpHeaders;
  query: Record<string, unknown>;
  body: unknown;
  /** JSON paths of texts in the body that no store or carrier can hold. */
  unsafeTexts: readonly string[];
  /** The fingerprint from `readBody`; else empty. */
  fingerprint: string;
  /** 0 on public routes. */
  accountId: number;
  /** The licenses that the mode selected; empty for `none`. */
  licenses: readonly LicenseSummary[];
}

/** The handler's input: everything checked and typed. */
export interface Context<P, Q, B> {
  app: HttpApp;
  request: CheckedRequest;
  accountId: number;
  licenses: readonly LicenseSummary[];
  params: P;
  query: Q;
  body: B;
}

/** A route as mounted and published. */
export interface Route extends RouteMeta, MountedRoute<CheckedRequest> {
  schemas: { params: TSchema; query: TSchema; body: TSchema };
}

/** Whether requests of the route carry a JSON body. */
export function takesBody(route: RouteMeta): boolean {
  return route.method !== 'get' && route.method !== 'delete';
}

/**
 * One route: the only source of its types, validation, response check and documentation. Omitted parts of its input
 * accept nothing.
 */
export function defineRoute<
  P extends TSchema = typeof NOTHING,
  Q extends TSchema = typeof NOTHING,
  B extends TSchema = TSchema,
>(
  meta: RouteMeta & { params?: P; query?: Q; body?: B },
  handle: (context: Context<Static<P>, Static<Q>, Static<B>>) => Promise<Reply>,
): Route {
  const { params = NOTHING, query = NOTHING, body = Type.Unknown(), ...published } = meta;
  const validate = requestCheck<P, Q, B>({ params, query, body }, meta.readTexts);
  return {
    ...published,
    schemas: { params, query, body },
    execute: async (request, app) => {
      const { accountId, licenses } = request;
      return handle({ app, request, accountId, licenses, ...validate(request) });
    },
    checkResponse: responseCheck(meta),
  };
}

/** The license of a route with mode `one`. */
export function theLicense(context: { licenses: readonly LicenseSummary[] }): LicenseSummary {
  const [license] = context.licenses;
  if (license === undefined) throw new Error('The route has no license; its mode must be "one".');
  return license;
}

/** The account and the license of a route with mode `one`. */
export function scopeOf({ accountId, licenses }: { accountId: number; licenses: readonly LicenseSummary[] }) {
  return { accountId, licenseId: theLicense({ licenses }).id };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The uuid of a path, in lower case. @throws AppError `not_found` of a `what` for any other text */
export function toUuid(text: string, what?: string): string {
  if (!UUID.test(text)) throw notFound(what);
  return text.toLowerCase();
}

function requestCheck<P extends TSchema, Q extends TSchema, B extends TSchema>(
  schemas: Route['schemas'],
  readTexts: RouteMeta['readTexts'] = (body) => body,
): (request: CheckedRequest) => Pick<Context<Static<P>, Static<Q>, Static<B>>, 'params' | 'query' | 'body'> {
  const checks = {
    params: compileOnUse<Static<P>>(schemas.params),
    query: compileOnUse<Static<Q>>(schemas.query),
    body: compileOnUse<Static<B>>(schemas.body),
  };
  return (request) => {
    const paramsCheck = checks.params();
    const queryCheck = checks.query();
    const bodyCheck = checks.body();
    const params: unknown = textsWithoutMarks(request.params);
    const query: unknown = coerceQuery(schemas.query, textsWithoutMarks(request.query));
    const body = readTexts(request.body);
    const unsafe = unsafeFields(request.unsafeTexts);
    const misread = misreadQuery(schemas.query, request.query);
    const hasParams = paramsCheck(params);
    const hasQuery = queryCheck(query);
    const hasBody = bodyCheck(body);
    if (unsafe === null && misread === null && hasParams && hasQuery && hasBody)
      return { params, query, body };
    const failed = [paramsCheck, queryCheck, bodyCheck];
    const wrong = failed.map((check) => fieldErrors(check.errors));
    throw validationError(Object.assign({}, ...wrong, misread, unsafe));
  };
}
