import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { TokenOwner } from '../../db/queries/access-tokens.js';
import { isTokenText, resolveToken } from '../../services/access-tokens.js';
import { failuresKey } from '../auth/admission.js';
import { RecentLookups } from '../auth/recent-lookups.js';
import { callerAddress } from '../middleware/caller-address.js';
import { type RateState, rateHeaders, rateLimited } from '../middleware/rate-limit.js';
import type { MountedApp } from '../mounted-app.js';

/**
 * Whose requests of API v1 come in, and how often. A request counts for the owner of its token, else for its address. An
 * address over its limit still gets in with a right token, so that its bodies are read and tokens looked up; but it
 * has so many bytes of them without one, and few unknown tokens.
 */
export class V1Admission {
  readonly #app: MountedApp;
  /** Tokens to the key of their owner's count. */
  readonly #lookups = new RecentLookups<string>();
  readonly #keys = new RecentLookups<true>();

  constructor(app: MountedApp) {
    this.#app = app;
  }

  /**
   * Asked before a body that may hold a token. `inQuery`: a token that is there without the body.
   * @throws AppError `rate_limited` where the address is blocked, and sent as many bytes as it may since then
   */
  async refuseBody(req: Request, inQuery: unknown): Promise<void> {
    const { limiter, config } = this.#app;
    const blocked = this.#blocked(req);
    const hasBody =
      req.headers['transfer-encoding'] !== undefined || req.headers['content-length'] !== undefined;
    if (blocked === null || !hasBody || limiter.blocked(bytesKey(req), config.bodyBytesPerMinute) === null)
      return;
    if ((await this.identify(req, inQuery)) === null) throw rateLimited(blocked);
  }

  /** Whose token it is; null for none, and for a wrong one. @throws AppError `rate_limited` where that is known already */
  async identify(req: Request, sent: unknown): Promise<TokenOwner | null> {
    if (typeof sent !== 'string' || !isTokenText(sent)) return null;
    const { limiter, config, db } = this.#app;
    const token = createHash('sha256').update(sent).digest('base64');
    const owner = this.#lookups.ownerOf(token);
    const over = owner === undefined ? null : limiter.blocked(owner, config.v1RateLimitPerMinute);
    if (over !== null) throw rateLimited(over);
    const blocked = this.#blocked(req);
    if (blocked !== null && !this.#lookups.mayLookUp(token)) throw rateLimited(blocked);
    const found = await resolveToken(db, sent);
    this.#lookups.note(token, found === null ? null : ownerKey(found));
    return found;
  }

  /**
   * Counts the request for the token's owner, or for the address, and sets the rate headers. `bytes`: of the body that
   * was read to find the token.
   * @throws AppError `rate_limited`
   */
  admit(req: Request, res: Response, { caller, bytes }: { caller: TokenOwner | null; bytes: number }): void {
    const { limiter, config } = this.#app;
    const key = caller === null ? addressKey(req) : ownerKey(caller);
    const state = limiter.hit(key, config.v1RateLimitPerMinute);
    if (state.exceeded) {
      if (caller === null) limiter.charge(bytesKey(req), config.bodyBytesPerMinute, bytes);
      throw rateLimited(state);
    }
    res.set(rateHeaders(state));
  }

  /**
   * Looks for what a license key stands for. Keys that stand for nothing count with the address's other failed
   * authentications; beyond their limit right keys still get in, and unknown ones are seldom looked for.
   * @throws AppError `rate_limited`
   */
  async byKey<T>(req: Request, key: string, find: () => Promise<T | null>): Promise<T | null> {
    const { limiter, config } = this.#app;
    const address = failuresKey(callerAddress(req));
    const hash = createHash('sha256').update(key).digest('base64');
    const blocked = limiter.blocked(address, config.authFailuresPerMinute);
    if (blocked !== null && !this.#keys.mayLookUp(hash)) throw rateLimited(blocked);
    const found = await find();
    this.#keys.note(hash, found === null ? null : true);
    const state = found === null ? limiter.hit(address, config.authFailuresPerMinute) : null;
    if (state?.exceeded === true) throw rateLimited(state);
    return found;
  }

  #blocked(req: Request): RateState | null {
    const { limiter, config } = this.#app;
    return limiter.blocked(addressKey(req), config.v1RateLimitPerMinute);
  }
}

function addressKey(req: Request): string {
  return `v1:address:${callerAddress(req)}`;
}

function bytesKey(req: Request): string {
  return `v1:bytes:${callerAddress(req)}`;
}

function ownerKey({ kind, id }: TokenOwner): string {
  return `v1:${kind}:${id}`;
}
