import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { TokenOwner } from '../../db/queries/access-tokens.js';
import { isTokenText, resolveToken } from '../../services/access-tokens.js';
import { Admission, failuresOf, type Limit } from '../auth/admission.js';
import { callerAddress } from '../middleware/caller-address.js';
import { rateHeaders, rateLimited } from '../middleware/rate-limit.js';
import type { MountedApp } from '../mounted-app.js';

/**
 * Whose requests of API v1 come in, and how often. A request counts for the owner of its token, else for its address. An
 * address over its limit still gets in with a right token, so that its bodies are read and tokens looked up; but it
 * has so many bytes of them without one, and few unknown tokens.
 */
export class V1Callers {
  readonly #app: MountedApp;
  readonly #tokens: Admission<TokenOwner>;
  readonly #keys: Admission<unknown>;

  constructor(app: MountedApp) {
    this.#app = app;
    this.#tokens = new Admission(app.limiter, (owner) => this.#limitOf(`${owner.kind}:${owner.id}`));
    this.#keys = new Admission(app.limiter, () => null);
  }

  /**
   * Asked before a body that may hold a token. `inQuery`: a token that is there without the body.
   * @throws AppError `rate_limited` where the address is blocked, and sent as many bytes as it may since then
   */
  async refuseBody(req: Request, inQuery: unknown): Promise<void> {
    const { limiter, config } = this.#app;
    const { key, perMinute } = this.#addressLimit(req);
    const blocked = limiter.blocked(key, perMinute);
    const hasBody =
      req.headers['transfer-encoding'] !== undefined || req.headers['content-length'] !== undefined;
    if (blocked === null || !hasBody || limiter.blocked(bytesKey(req), config.bodyBytesPerMinute) === null)
      return;
    if ((await this.identify(req, inQuery)) === null) throw rateLimited(blocked);
  }

  /** Whose token it is; null for none, and for a wrong one. @throws AppError `rate_limited` where that is known already */
  async identify(req: Request, sent: unknown): Promise<TokenOwner | null> {
    if (typeof sent !== 'string' || !isTokenText(sent)) return null;
    return await this.#tokens.lookUp(hashOf(sent), this.#addressLimit(req), () =>
      resolveToken(this.#app.db, sent),
    );
  }

  /**
   * Counts the request for the token's owner, or for the address, and sets the rate headers. `bytes`: of the body that
   * was read to find the token.
   * @throws AppError `rate_limited`
   */
  admit(req: Request, res: Response, { caller, bytes }: { caller: TokenOwner | null; bytes: number }): void {
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
   * Looks for what a license key stands for. Keys that stand for nothing count with the address's other failed
   * authentications; beyond their limit right keys still get in, and unknown ones are seldom looked for.
   * @throws AppError `rate_limited`
   */
  async byKey<T>(req: Request, key: string, find: () => Promise<T | null>): Promise<T | null> {
    const failures = failuresOf(req, this.#app);
    const found = await this.#keys.lookUp(hashOf(key), failures, find);
    if (found === null) this.#app.limiter.take(failures.key, failures.perMinute);
    return found;
  }

  #limitOf(owner: string): Limit {
    return { key: `v1:${owner}`, perMinute: this.#app.config.v1RateLimitPerMinute };
  }

  #addressLimit(req: Request): Limit {
    return this.#limitOf(`address:${callerAddress(req)}`);
  }
}

function bytesKey(req: Request): string {
  return `v1:bytes:${callerAddress(req)}`;
}

function hashOf(credentials: string): string {
  return createHash('sha256').update(credentials).digest('base64');
}
