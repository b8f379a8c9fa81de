import type { IncomingHttpHeaders } from 'node:http';
import { type Static, type TSchema, Type } from 'typebox';
import type { LicenseSummary } from '../db/queries/accounts/accounts.js';
import type { AuditAction } from '../domain/audit.js';
import { type ErrorCode, notFound, validationError } from '../domain/errors.js';
import { selectLicense, selectLicenses } from '../domain/license.js';
import { isUuid } from '../lib/ids.js';
import { valueAt } from '../lib/json.js';
import { compileOnUse } from '../lib/schema.js';
import { textsWithoutMarks } from '../lib/sent-text.js';
import { nowIso } from '../lib/time.js';
import type { HttpApp } from './http-app.js';
import { type RequestBody, unsafeFields } from './json-body.js';
import {
  type BaseRequest,
  type MountedRoute,
  type Operation,
  type Reply,
  type Responses,
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
  /**
   * The act in the audit, for a route that changes something. `target`: the kind of what it makes, or changes. `reader`:
   * reads what it changes, so that the audit has the values before and after.
   */
  audit?: { action: AuditAction; target: string; reader?: Route };
  /** True if a POST works without a body. */
  bodyOptional?: boolean;
  /** True if credentials that may only read may send it: the route itself refuses them what changes something. */
  forReadOnly?: boolean;
  /** True if the route accepts an `Idempotency-Key`. */
  idempotent?: boolean;
  /** True if sending a POST again does nothing twice, without a key; published as `x-repeatable`, for clients. */
  repeatable?: boolean;
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
  /** Whether the credentials may only read. */
  isReadOnly: boolean;
}

/** The checked input of a route. */
interface Input<P, Q, B> {
  params: P;
  query: Q;
  body: B;
}

/** The handler's input: everything checked and typed. */
export interface Context<P, Q, B> extends Input<P, Q, B> {
  app: HttpApp;
  request: CheckedRequest;
  accountId: number;
  licenses: readonly LicenseSummary[];
}

/** A route as mounted and published. `Answer`: JSON of a success. */
export interface Route<P = object, Q = object, B = unknown, Answer = unknown>
  extends RouteMeta,
    MountedRoute<CheckedRequest> {
  schemas: { params: TSchema; query: TSchema; body: TSchema };
  /** The handler's input of a request. @throws AppError `validation_failed` */
  validate(request: CheckedRequest): Input<P, Q, B>;
  execute(request: CheckedRequest, app: HttpApp): Promise<Reply<Answer>>;
  checkResponse(status: number, text: string | undefined): Answer;
}

/** The JSON of the published answers; undefined for one without a body. */
type AnswerIn<R extends Responses> = {
  [S in keyof R]: R[S] extends { schema: infer T extends TSchema } ? Static<T> : undefined;
}[keyof R];

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
  R extends Responses = Responses,
>(
  meta: RouteMeta & { params?: P; query?: Q; body?: B; responses: R },
  handle: (context: Context<Static<P>, Static<Q>, Static<B>>) => Promise<Reply<AnswerIn<R>>>,
): Route<Static<P>, Static<Q>, Static<B>, AnswerIn<R>> {
  const { params = NOTHING, query = NOTHING, body = Type.Unknown(), ...published } = meta;
  const validate = requestCheck<P, Q, B>({ params, query, body }, meta.readTexts);
  return {
    ...published,
    schemas: { params, query, body },
    validate,
    execute: async (request, app) => {
      const { accountId, licenses } = request;
      return handle({ app, request, accountId, licenses, ...validate(request) });
    },
    checkResponse: responseCheck<AnswerIn<R>>(meta),
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

/** The licenses that a route works with. `key`: names one of them. @throws AppError `forbidden`, `validation_failed` */
export function selectFor(
  { license }: Pick<Route, 'license'>,
  licenses: readonly LicenseSummary[],
  key: unknown,
): LicenseSummary[] {
  if (license === 'none') return [];
  // Null and empty are absent, as in other fields.
  const named = key || undefined;
  // A key of another type is refused by the validation that follows.
  if (named !== undefined && typeof named !== 'string') return [];
  if (license === 'one') return [selectLicense(licenses, named, nowIso())];
  return selectLicenses(licenses, named, nowIso());
}

/**
 * From the query if the body has no field for it. Elsewhere only the body counts: a key's fingerprint covers the body,
 * and a second license in the query would get the first one's shipment.
 */
export function licenseKeyIn(route: Route, { query, body }: CheckedRequest): unknown {
  if (!takesBody(route) || Array.isArray(body)) return query.license_key;
  return valueAt(body, 'license_key');
}

/** The uuid of a path, in lower case. @throws AppError `not_found` of a `what` for any other text */
export function toUuid(text: string, what?: string): string {
  const uuid = text.toLowerCase();
  if (!isUuid(uuid)) throw notFound(what);
  return uuid;
}

function requestCheck<P extends TSchema, Q extends TSchema, B extends TSchema>(
  schemas: Route['schemas'],
  readTexts: RouteMeta['readTexts'] = (body) => body,
): (request: CheckedRequest) => Input<Static<P>, Static<Q>, Static<B>> {
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
