import type { IncomingHttpHeaders } from 'node:http';
import type { ValidateFunction } from 'ajv';
import { type Static, type TSchema, Type } from 'typebox';
import type { LicenseSummary } from '../db/queries/accounts.js';
import { type ErrorCode, validationError } from '../domain/errors.js';
import { compileOnUse } from '../lib/schema.js';
import type { CreateShipmentOutcome } from '../services/create-shipment.js';
import type { HttpApp } from './http-app.js';
import { type ParsedJson, unsafeFields } from './json-body.js';
import { coerceQuery, fieldErrors, misreadQuery } from './validation.js';

/**
 * `none`: the route is the account's, not a license's. `one`: exactly one usable license. `many`: the named
 * license, else every usable one.
 */
export type LicenseMode = 'none' | 'one' | 'many';

/** A success answer as it is published. */
export interface ResponseSpec {
  description: string;
  /** Left out where the answer has no body (204). */
  schema?: TSchema;
  example?: unknown;
  /** Names of the headers beside those of every answer. */
  headers?: readonly ('Location' | 'Retry-After' | 'Idempotent-Replayed')[];
  /** Media type that the caller can ask for instead of JSON with `Accept`. */
  alternative?: 'application/pdf';
}

/** What is published of a route, and what the pipeline needs to know before it runs. */
export interface RouteMeta {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below `/api/v2`, parameters in braces: `/shipments/{uuid}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** True where no credentials are needed. */
  public?: boolean;
  license: LicenseMode;
  /** True where a POST works without a body. */
  bodyOptional?: boolean;
  /** True where the route takes an `Idempotency-Key`. */
  idempotent?: boolean;
  bodyExample?: unknown;
  /** Largest body in bytes; default 1 MiB. */
  bodyLimitBytes?: number;
  /** What is checked, and given to the handler, in place of the body as sent. */
  readTexts?: (body: unknown) => unknown;
  /** Reads the body instead of `parseJson`, and says the same of it. */
  readBody?: (bytes: Buffer, request: BodyRequest) => Promise<RequestBody>;
  responses: Readonly<Record<number, ResponseSpec>>;
  /** Errors beside those that follow from the rest: credentials, license, body, validation, server. */
  errors: readonly ErrorCode[];
  /** What this route says with an error, where the document's own words do not fit. */
  errorMessages?: Partial<Record<ErrorCode, string>>;
}

/** What a route takes; a part that is left out takes nothing. */
interface RouteSchemas<P extends TSchema, Q extends TSchema, B extends TSchema> {
  params?: P;
  query?: Q;
  body?: B;
}

/** Takes nothing: unknown query parameters and body fields are ignored. */
const NOTHING = Type.Object({});

/** What is known of a request while its body is read. */
export interface BodyRequest extends Pick<CheckedRequest, 'accountId' | 'headerValues' | 'query'> {
  app: HttpApp;
}

/** A body as it was read. */
export interface RequestBody extends ParsedJson {
  /** Of the request, where reading the body has made it already. */
  fingerprint?: string;
}

/** A request that passed credentials, rate limit, parsing and license, still to be validated. */
export interface CheckedRequest {
  /** Path and query as sent, without origin. */
  url: string;
  headers: IncomingHttpHeaders;
  /** Values of a repeatable look at one header, not joined. */
  headerValues: (name: string) => readonly string[];
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  /** JSON paths of texts in the body that no store or carrier can hold. */
  unsafeTexts: readonly string[];
  /** What `readBody` has made of the request; else empty. */
  fingerprint: string;
  /** 0 on public routes. */
  accountId: number;
  /** The licenses that the mode selected; empty for `none`. */
  licenses: readonly LicenseSummary[];
  /**
   * Waits for others, such as a carrier, while `wait` runs; meanwhile the request does not count as work of the process.
   * @throws Overloaded where the caller has as many waits as it may, before `wait` is called
   */
  whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Names the shipment in the request's log line. */
  onShipment: (created: CreateShipmentOutcome) => void;
}

/** What a handler works with: everything checked and typed. */
export interface Context<P, Q, B> {
  app: HttpApp;
  request: CheckedRequest;
  accountId: number;
  licenses: readonly LicenseSummary[];
  params: P;
  query: Q;
  body: B;
}

/**
 * A success. `text` is JSON that is sent byte for byte, `bytes` a document of another media type with a strong
 * `etag` (without quotes); else `json` is serialised. None of them: no body.
 */
export interface Reply {
  status: number;
  json?: unknown;
  text?: string;
  bytes?: { type: string; body: Buffer; etag: string };
  headers?: Record<string, string>;
}

/** A route as it is mounted and published. */
export interface Route extends RouteMeta {
  schemas: { params: TSchema; query: TSchema; body: TSchema };
  /** Validates, then works. @throws AppError */
  execute(request: CheckedRequest, app: HttpApp): Promise<Reply>;
  /** @throws Error when the JSON text does not match the published schema of its status. */
  checkResponse(status: number, text: string | undefined): void;
}

/** Whether requests of the route carry a JSON body. */
export function takesBody(route: RouteMeta): boolean {
  return route.method !== 'get' && route.method !== 'delete';
}

/** One route: its types, validation, response check and documentation come from this object alone. */
export function defineRoute<
  P extends TSchema = typeof NOTHING,
  Q extends TSchema = typeof NOTHING,
  B extends TSchema = TSchema,
>(
  meta: RouteMeta & RouteSchemas<P, Q, B>,
  handle: (context: Context<Static<P>, Static<Q>, Static<B>>) => Promise<Reply>,
): Route {
  const { params = NOTHING, query = NOTHING, body = Type.Unknown(), ...published } = meta;
  const validate = requestCheck<P, Q, B>({ params, query, body }, meta.readTexts);
  const responses = new Map(
    Object.entries(meta.responses).map(([status, { schema }]) => [
      Number(status),
      schema === undefined ? undefined : compileOnUse<unknown>(schema),
    ]),
  );
  return {
    ...published,
    schemas: { params, query, body },
    execute: async (request, app) => {
      const { accountId, licenses } = request;
      return handle({ app, request, accountId, licenses, ...validate(request) });
    },
    checkResponse: (status, text) => {
      if (!responses.has(status))
        throw new Error(`${meta.operationId} answers ${status}, which is not published.`);
      checkAgainst(responses.get(status)?.(), meta.operationId, status, text);
    },
  };
}

/** The license of a route whose mode is `one`. */
export function theLicense(context: { licenses: readonly LicenseSummary[] }): LicenseSummary {
  const [license] = context.licenses;
  if (license === undefined) throw new Error('The route has no license; its mode must be "one".');
  return license;
}

interface Valid<P, Q, B> {
  params: P;
  query: Q;
  body: B;
}

function requestCheck<P extends TSchema, Q extends TSchema, B extends TSchema>(
  schemas: Route['schemas'],
  readTexts: RouteMeta['readTexts'] = (body) => body,
): (request: CheckedRequest) => Valid<Static<P>, Static<Q>, Static<B>> {
  const checks = {
    params: compileOnUse<Static<P>>(schemas.params),
    query: compileOnUse<Static<Q>>(schemas.query),
    body: compileOnUse<Static<B>>(schemas.body),
  };
  return (request) => {
    const paramsCheck = checks.params();
    const queryCheck = checks.query();
    const bodyCheck = checks.body();
    const params: unknown = request.params;
    const query: unknown = coerceQuery(schemas.query, request.query);
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

function checkAgainst(
  validator: ValidateFunction<unknown> | undefined,
  operationId: string,
  status: number,
  text: string | undefined,
): void {
  if (validator === undefined && text === undefined) return;
  if (validator === undefined || text === undefined) {
    throw new Error(`${operationId} ${status} has a body and no schema, or the other way round.`);
  }
  const body: unknown = JSON.parse(text);
  if (validator(body)) return;
  throw new Error(`${operationId} ${status} does not match its schema: ${JSON.stringify(validator.errors)}`);
}
