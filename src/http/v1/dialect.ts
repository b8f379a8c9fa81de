import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { BaseRequest, Reply } from '../../api/operation.js';
import { readInput, readJsonOnly, readStrictly } from '../../api/v1/input.js';
import { type Messages, messagesOf } from '../../api/v1/messages/messages.js';
import { methodNotAllowed, Refusal, replyToError, routeNotFound } from '../../api/v1/reply.js';
import type { V1Request, V1Route } from '../../api/v1/route.js';
import { UnreadableBody } from '../../api/v1/unreadable.js';
import type { TokenOwner } from '../../db/queries/accounts/access-tokens.js';
import { AppError, type ErrorCode } from '../../domain/errors.js';
import { isTokenText, resolveToken } from '../../services/accounts/access-tokens.js';
import { Admission, failuresOf, type Limit } from '../auth/admission.js';
import { noteFailure } from '../failure.js';
import { callerAddress } from '../middleware/caller-address.js';
import { rateHeaders, rateLimited } from '../middleware/rate-limit.js';
import type { Dialect, Exchange } from '../mount.js';
import type { MountedApp } from '../mounted-app.js';

/** Failures answered in the envelope. */
const IN_ENVELOPE: ReadonlySet<string> = new Set<ErrorCode>(['carrier_rejected', 'not_supported']);

/**
 * API v1: a token in the body or in a header. A request counts for the owner of its token, else for its address. An
 * address over its limit still gets in with a right token, so its bodies are read and its tokens looked up; the bytes
 * of bodies without one and the look-ups of unknown tokens are limited.
 */
export class V1Dialect implements Dialect<V1Route, V1Request> {
  readonly isTagged = false;
  readonly #app: MountedApp;
  readonly #say: Messages;
  readonly #tokens: Admission<TokenOwner>;
  readonly #keys: Admission<unknown>;

  constructor(app: MountedApp) {
    this.#app = app;
    this.#say = messagesOf(app.config.locale);
    this.#tokens = new Admission(app.limiter, (owner) => this.#limitOf(`${owner.kind}:${owner.id}`));
    this.#keys = new Admission(app.limiter, () => null);
  }

  nameOf({ method, path }: V1Route): string {
    return `${method.toUpperCase()} /api${path}`;
  }

  open(base: BaseRequest, req: Request): V1Request {
    return {
      ...base,
      input: readInput(queryOf(req)),
      unreadable: null,
      caller: null,
      wantsJson: /[/+]json\b/i.test(req.headers.accept ?? ''),
      facts: { licenseId: null, accountId: null },
      byKey: (key, find) => this.#byKey(req, key, find),
    };
  }

  /** The account, sharing its waits with API v2; on routes without a license the address. */
  clientOf({ facts: { accountId } }: V1Request, req: Request): string {
    return accountId === null ? `v1:${callerAddress(req)}` : `account:${accountId}`;
  }

  async admit(exchange: Exchange<V1Route, V1Request>, readBody: () => Promise<Buffer>): Promise<void> {
    const { route, request, req, res } = exchange;
    const addBody = async () => {
      const body = await readBody();
      addInput(request, req, body);
      return body.length;
    };
    // Other routes have the credentials in the body.
    const isTokenInside = route.checkHeaders === undefined;
    if (isTokenInside) await this.#refuseBody(req, tokenOf(route, request));
    const bytes = isTokenInside ? await addBody() : 0;
    request.caller = await this.#identify(req, tokenOf(route, request));
    this.#count(req, res, { caller: request.caller, bytes });
    if (route.checkHeaders === undefined) return;
    await route.checkHeaders(request, this.#app);
    await addBody();
  }

  refusal(thrown: unknown, req: Request): Reply {
    if (thrown instanceof Refusal) return thrown.reply;
    // A carrier's refusal is an ordinary answer of the group.
    if (!(thrown instanceof AppError && IN_ENVELOPE.has(thrown.code))) throw thrown;
    return replyToError(noteFailure(this.#app, req, thrown), this.#say);
  }

  note({ route, request, res }: Exchange<V1Route, V1Request>, reply: Reply, text = ''): void {
    const { responseLog, log } = this.#app;
    const { licenseId } = request.facts;
    if (route.normalised) {
      res.once('close', () => {
        const body = loggedText(text);
        responseLog.add({ licenseId, route: this.nameOf(route), status: reply.status, body });
      });
    }
    // The event never comes if the caller has disconnected.
    res.once('finish', () => {
      reply.whenTold?.().catch((error: unknown) => {
        log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'trouble after an answer');
      });
    });
  }

  readonly present = (error: AppError, req: Request): Reply =>
    error.cause instanceof URIError ? routeNotFound(pathOf(req), this.#say) : replyToError(error, this.#say);

  unmatched({ headers: { Allow: allowed } }: AppError, req: Request): Reply {
    const path = pathOf(req);
    if (allowed === undefined) return routeNotFound(path, this.#say);
    return methodNotAllowed(req.method, path, allowed, this.#say);
  }

  /**
   * Asked before a body that may hold a token. `inQuery`: a token that is there without the body.
   * @throws AppError `rate_limited` where the address is blocked and has used up its bytes
   */
  async #refuseBody(req: Request, inQuery: unknown): Promise<void> {
    const { limiter, config } = this.#app;
    const { key, perMinute } = this.#addressLimit(req);
    const blocked = limiter.blocked(key, perMinute);
    const hasBody =
      req.headers['transfer-encoding'] !== undefined || req.headers['content-length'] !== undefined;
    if (blocked === null || !hasBody || limiter.blocked(bytesKey(req), config.bodyBytesPerMinute) === null)
      return;
    if ((await this.#identify(req, inQuery)) === null) throw rateLimited(blocked);
  }

  /** Null for a missing or wrong token. @throws AppError `rate_limited` where that is known already */
  async #identify(req: Request, sent: unknown): Promise<TokenOwner | null> {
    if (typeof sent !== 'string' || !isTokenText(sent)) return null;
    const find = () => resolveToken(this.#app.db, sent);
    return await this.#tokens.lookUp(hashOf(sent), this.#addressLimit(req), find);
  }

  /** `bytes`: of the body that was read for the token. @throws AppError `rate_limited` */
  #count(req: Request, res: Response, { caller, bytes }: { caller: TokenOwner | null; bytes: number }): void {
    const { limiter, config } = this.#app;
    const limit = caller === null ? this.#addressLimit(req) : this.#limitOf(`${caller.kind}:${caller.id}`);
    const state = limiter.hit(limit.key, limit.perMinute);
    if (state.exceeded) {
      if (caller === null) limiter.charge(bytesKey(req), config.bodyBytesPerMinute, bytes);
      throw rateLimited(state);
    }
    res.set(rateHeaders(state));
  }

  /**
   * Unknown keys count with the address's other failed authentications. Over their limit valid keys still get in, and
   * unknown ones are rarely looked up.
   */
  async #byKey<T>(req: Request, key: string, find: () => Promise<T | null>): Promise<T | null> {
    const failures = failuresOf(req, this.#app);
    const found = await this.#keys.lookUp(hashOf(key), failures, find);
    if (found === null) this.#app.limiter.take(failures.key, failures.perMinute);
    return found;
  }

  #limitOf(caller: string): Limit {
    return { key: `v1:${caller}`, perMinute: this.#app.config.v1RateLimitPerMinute };
  }

  #addressLimit(req: Request): Limit {
    return this.#limitOf(`address:${callerAddress(req)}`);
  }
}

/** Adds a body's parameters. An unreadable body of a POST is reported after the request has been counted. */
function addInput(request: V1Request, req: Request, bytes: Buffer): void {
  if (bytes.length === 0) return;
  const { 'content-type': contentType = '', 'content-encoding': coding = '' } = req.headers;
  const readBody = req.method === 'POST' ? readStrictly : readJsonOnly;
  try {
    request.input = readInput(queryOf(req), { contentType, coding, bytes }, readBody);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableBody)) throw thrown;
    request.unreadable = thrown.why;
  }
}

function bytesKey(req: Request): string {
  return `v1:bytes:${callerAddress(req)}`;
}

function hashOf(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}

/** Without the leading slash. */
function pathOf({ baseUrl, path }: Request): string {
  return `${baseUrl}${path}`.slice(1);
}

function queryOf({ originalUrl }: Request): string {
  const [, ...query] = originalUrl.split('?');
  return query.join('?');
}

/** The possible token: the bearer on routes of recipients, else a parameter or, without one, the bearer. */
function tokenOf(route: V1Route, request: V1Request): unknown {
  const sent = route.guard === 'recipient' ? null : request.input.token;
  return sent ?? bearerOf(request);
}

function bearerOf(request: V1Request): string {
  const [header = ''] = request.headerValues('authorization');
  return /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

/** Fields with credentials or names of persons, at any place in an answer. */
const SECRETS = ['token', 'key', 'license_key', 'client_id', 'client_secret_last4', 'receiver'];

/** In JSON a quoted text before a colon is a key: quotes within texts are escaped. */
const SECRET = new RegExp(`"(${SECRETS.join('|')})":"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`, 'g');

/** The beginning of an answer's JSON text for the log, without credentials and names. */
export function loggedText(text: string): string {
  // Of an answer of many megabytes: what is kept has 60,000 bytes, credentials left out.
  return text.slice(0, 120_000).replace(SECRET, '"$1":"[left out]"');
}
