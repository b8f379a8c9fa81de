import type { Request, Response } from 'express';
import type { AuthRecord } from '../../db/queries/accounts.js';
import { factsOf } from '../middleware/access-log.js';
import { callerAddress } from '../middleware/caller-address.js';
import { rateHeaders, rateLimited } from '../middleware/rate-limit.js';
import type { MountedApp } from '../mounted-app.js';
import {
  type Authenticate,
  type Credentials,
  createAuthenticate,
  invalidCredentials,
  missingCredentials,
  readCredentials,
} from './authenticate.js';
import { RecentLookups } from './recent-lookups.js';

const TOO_MANY_BYTES = 'Too many bytes in request bodies. Try again later.';

/** Who may come in, and how often. */
export class Admission {
  readonly #app: MountedApp;
  readonly #authenticate: Authenticate;
  /** Credentials to the account that they were right for. */
  readonly #lookups = new RecentLookups<number>();

  /** `app.limiter` is what the parts of a process share. */
  constructor(app: MountedApp) {
    this.#app = app;
    this.#authenticate = createAuthenticate(app.db);
  }

  /**
   * Who calls, by the credentials; with the account's licenses where the route needs them. From an address with too many
   * failures only failing attempts are refused: known credentials are checked as always, unknown ones as long as the
   * look-ups of such addresses are few. A client that is known to be over its limit is refused without a statement.
   * @throws AppError `unauthenticated`, `rate_limited`
   */
  async identify(req: Request, needs: { licenses: boolean }): Promise<AuthRecord> {
    const { config } = this.#app;
    const address = callerAddress(req);
    const credentials = readCredentials((name) => req.headersDistinct[name] ?? [], config.appKey);
    if (credentials === null) throw this.#failure(address, missingCredentials());
    const pair = pairOf(credentials);
    this.#refuseEarly(address, pair);
    const auth = await this.#authenticate(credentials, needs);
    this.#lookups.note(pair, auth?.accountId ?? null);
    if (auth === null) throw this.#failure(address, invalidCredentials());
    factsOf(req).accountId = auth.accountId;
    return auth;
  }

  /**
   * Counts the request and the announced bytes of its body, and sets the rate headers.
   * @throws AppError `rate_limited`
   */
  admit(auth: AuthRecord, req: Request, res: Response): void {
    const { limiter, config } = this.#app;
    const state = limiter.take(clientKey(auth.accountId), config.rateLimitPerMinute);
    res.set(rateHeaders(state));
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced === 0) return;
    const bytes = limiter.hit(bytesKey(auth.accountId), config.bodyBytesPerMinute, announced);
    if (bytes.exceeded) throw rateLimited(state, TOO_MANY_BYTES);
  }

  /**
   * Counts bytes of a body that came without an announced length, as they are read.
   * @throws AppError `rate_limited`
   */
  countBytes(auth: AuthRecord, bytes: number): void {
    const { limiter, config } = this.#app;
    const state = limiter.charge(bytesKey(auth.accountId), config.bodyBytesPerMinute, bytes);
    if (!state.exceeded) return;
    throw rateLimited(limiter.hit(clientKey(auth.accountId), config.rateLimitPerMinute, 0), TOO_MANY_BYTES);
  }

  #failure(address: string, error: Error): Error {
    const { limiter, config } = this.#app;
    const state = limiter.hit(failuresKey(address), config.authFailuresPerMinute);
    return state.exceeded ? rateLimited(state) : error;
  }

  /** @throws AppError `rate_limited` where that is known without a statement */
  #refuseEarly(address: string, pair: string): void {
    const { limiter, config } = this.#app;
    const accountId = this.#lookups.ownerOf(pair);
    const over =
      accountId === undefined ? null : limiter.blocked(clientKey(accountId), config.rateLimitPerMinute);
    if (over !== null) throw rateLimited(over);
    const blocked = limiter.blocked(failuresKey(address), config.authFailuresPerMinute);
    if (blocked !== null && !this.#lookups.mayLookUp(pair)) throw rateLimited(blocked);
  }
}

/** Under which the failed authentications of an address are counted, in both versions of the API. */
export function failuresKey(address: string): string {
  return `address:${address}`;
}

function clientKey(accountId: number): string {
  return `client:${accountId}`;
}

function bytesKey(accountId: number): string {
  return `bytes:${accountId}`;
}

function pairOf({ clientId, secretHash }: Credentials): string {
  return `${secretHash.toString('base64')} ${clientId}`;
}
