import type { Request, Response } from 'express';
import { failureReplies, READ_ONLY } from '../../api/errors.js';
import { parseJson, type RequestBody } from '../../api/json-body.js';
import type { BaseRequest } from '../../api/operation.js';
import { type CheckedRequest, licenseKeyIn, type Route, selectFor, takesBody } from '../../api/route.js';
import type { AuthRecord } from '../../db/queries/accounts/credentials.js';
import { AppError } from '../../domain/errors.js';
import { quoted } from '../../domain/problems/problem.js';
import { shortened } from '../../lib/text.js';
import { Admission, failuresOf } from '../auth/admission.js';
import { type Credentials, createAuthenticate, readCredentials } from '../auth/authenticate.js';
import { factsOf } from '../middleware/access-log.js';
import { callerAddress } from '../middleware/caller-address.js';
import { type RateState, rateHeaders, rateLimited } from '../middleware/rate-limit.js';
import type { Dialect, Exchange } from '../mount.js';
import type { MountedApp } from '../mounted-app.js';

const MISSING = 'Missing API credentials. Send X-Client-Id and X-Client-Secret.';
const INVALID = 'Invalid API client credentials.';
const TOO_MANY_BYTES = 'Too many bytes in request bodies. Try again later.';

/** API v2: credentials in two headers, then a body of JSON; requests and bytes count for the account. */
export class V2Dialect implements Dialect<Route, CheckedRequest> {
  readonly isTagged = true;
  readonly present: Dialect<Route, CheckedRequest>['present'];
  readonly #app: MountedApp;
  readonly #authenticate: ReturnType<typeof createAuthenticate>;
  readonly #admission: Admission<AuthRecord>;

  constructor(app: MountedApp) {
    this.#app = app;
    this.present = failureReplies(app.config);
    this.#authenticate = createAuthenticate(app.db, app.config.appKeys);
    const perMinute = app.config.rateLimitPerMinute;
    this.#admission = new Admission(app.limiter, (found) => ({ key: requestsKey(found), perMinute }));
  }

  nameOf({ method, path }: Route): string {
    return `${method.toUpperCase()} ${path}`;
  }

  open(base: BaseRequest, { headers, query }: Request): CheckedRequest {
    const nothing = {
      body: undefined,
      unsafeTexts: [],
      fingerprint: '',
      accountId: 0,
      licenses: [],
      isReadOnly: false,
    };
    return { ...base, headers, query, ...nothing };
  }

  clientOf({ accountId }: CheckedRequest, req: Request): string {
    return accountId === 0 ? `address:${callerAddress(req)}` : `account:${accountId}`;
  }

  async admit(exchange: Exchange<Route, CheckedRequest>, readBody: () => Promise<Buffer>): Promise<void> {
    const { route, request, req, res } = exchange;
    if (route.public) this.#app.limitOpen(req);
    const auth = route.public ? null : await this.#identify(req, { licenses: route.license !== 'none' });
    if (auth !== null) this.#count(auth, req, res);
    request.isReadOnly = auth?.isReadOnly ?? false;
    const mayOnlyRead = route.method !== 'get' && route.forReadOnly !== true;
    if (request.isReadOnly && mayOnlyRead) throw new AppError('forbidden', quoted(READ_ONLY));
    request.accountId = auth?.accountId ?? 0;
    if (takesBody(route)) {
      const bytes = await readBody();
      if (auth !== null && req.headers['content-length'] === undefined) this.#countBytes(auth, bytes.length);
      Object.assign(request, await this.#parse(bytes, exchange));
    }
    if (auth !== null) request.licenses = selectFor(route, auth.licenses, licenseKeyIn(route, request));
  }

  refusal(thrown: unknown): never {
    throw thrown;
  }

  unmatched(error: AppError): never {
    throw error;
  }

  /** Includes the account's licenses if the route needs them. @throws AppError `unauthenticated`, `rate_limited` */
  async #identify(req: Request, needs: { licenses: boolean }): Promise<AuthRecord> {
    const { limiter } = this.#app;
    const failures = failuresOf(req, this.#app);
    const sent = readCredentials((name) => req.headersDistinct[name] ?? []);
    const auth =
      sent && (await this.#admission.lookUp(pairOf(sent), failures, () => this.#authenticate(sent, needs)));
    if (auth === null) {
      limiter.take(failures.key, failures.perMinute);
      throw new AppError('unauthenticated', sent === null ? MISSING : INVALID);
    }
    factsOf(req).accountId = auth.accountId;
    return auth;
  }

  /** Counts the request and the announced bytes of its body. @throws AppError `rate_limited` */
  #count(auth: AuthRecord, req: Request, res: Response): void {
    const state = countRequest(this.#app, auth);
    res.set(rateHeaders(state));
    const { limiter, config } = this.#app;
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced === 0) return;
    const bytes = limiter.hit(bytesKey(auth), config.bodyBytesPerMinute, announced);
    if (bytes.exceeded) throw rateLimited(state, TOO_MANY_BYTES);
  }

  /** Counts the bytes of a body without an announced length, as it is read. @throws AppError `rate_limited` */
  #countBytes(auth: AuthRecord, bytes: number): void {
    const { limiter, config } = this.#app;
    const state = limiter.charge(bytesKey(auth), config.bodyBytesPerMinute, bytes);
    if (!state.exceeded) return;
    throw rateLimited(limiter.hit(requestsKey(auth), config.rateLimitPerMinute, 0), TOO_MANY_BYTES);
  }

  async #parse(bytes: Buffer, { route, request, req }: Exchange<Route, CheckedRequest>): Promise<object> {
    const { readBody, bodyOptional } = route;
    if (bytes.length === 0 && bodyOptional) return { body: {} };
    if (bytes.length > 0) refuseOtherThanJson(req);
    const { value, ...rest }: RequestBody =
      readBody === undefined
        ? parseJson(bytes)
        : await request.whileWaiting(() => readBody(bytes, { ...request, app: this.#app }));
    // PHP encodes an empty array, which stands for an object too, as a list; openapi-generator's Go sends null.
    const isNothing = value === null || (Array.isArray(value) && value.length === 0);
    return { ...rest, body: bodyOptional && isNothing ? {} : value };
  }
}

function pairOf({ clientId, secretHash }: Credentials): string {
  return `${secretHash.toString('base64')} ${clientId}`;
}

/** Counts a request for an account, from wherever it comes. @throws AppError `rate_limited` */
export function countRequest(
  { limiter, config }: Pick<MountedApp, 'limiter' | 'config'>,
  account: Pick<AuthRecord, 'accountId'>,
): RateState {
  return limiter.take(requestsKey(account), config.rateLimitPerMinute);
}

function requestsKey({ accountId }: Pick<AuthRecord, 'accountId'>): string {
  return `client:${accountId}`;
}

function bytesKey({ accountId }: AuthRecord): string {
  return `bytes:${accountId}`;
}

/** @throws AppError `unsupported_media_type`, naming the refused type */
function refuseOtherThanJson(req: Request): void {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    throw new AppError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  }
  const coding = req.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding !== 'identity') {
    const message = `The Content-Encoding ${shownName(coding)} is not taken. Send the body without one.`;
    throw new AppError('unsupported_media_type', message, { headers: { 'Accept-Encoding': 'identity' } });
  }
  const charsets = parameters.flatMap((text) => /^\s*charset="?([^"]*)"?\s*$/.exec(text)?.[1] ?? []);
  const other = charsets.find((charset) => !/^utf-?8$/.test(charset));
  if (other !== undefined) {
    const message = `The charset ${shownName(other)} is not taken. Send the body in UTF-8.`;
    throw new AppError('unsupported_media_type', message);
  }
}

function shownName(name: string): string {
  return shortened(name.replaceAll(/[^\x21-\x7e]/g, ''), 40);
}
