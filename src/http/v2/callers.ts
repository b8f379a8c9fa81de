import type { Request, Response } from 'express';
import type { AuthRecord } from '../../db/queries/accounts.js';
import { Admission, failuresOf } from '../auth/admission.js';
import {
  type Authenticate,
  createAuthenticate,
  invalidCredentials,
  missingCredentials,
  readCredentials,
} from '../auth/authenticate.js';
import { factsOf } from '../middleware/access-log.js';
import { rateHeaders, rateLimited } from '../middleware/rate-limit.js';
import type { MountedApp } from '../mounted-app.js';

const TOO_MANY_BYTES = 'Too many bytes in request bodies. Try again later.';

/** Whose requests of API v2 come in, and how often. */
export class V2Callers {
  readonly #app: MountedApp;
  readonly #authenticate: Authenticate;
  readonly #admission: Admission<AuthRecord>;

  constructor(app: MountedApp) {
    this.#app = app;
    this.#authenticate = createAuthenticate(app.db);
    const perMinute = app.config.rateLimitPerMinute;
    this.#admission = new Admission(app.limiter, (found) => ({ key: requestsKey(found), perMinute }));
  }

  /**
   * Who calls, by the credentials; with the account's licenses where the route needs them.
   * @throws AppError `unauthenticated`, `rate_limited`
   */
  async identify(req: Request, needs: { licenses: boolean }): Promise<AuthRecord> {
    const { limiter, config } = this.#app;
    const failures = failuresOf(req, this.#app);
    const sent = readCredentials((name) => req.headersDistinct[name] ?? [], config.appKey);
    const find = async () => (sent === null ? null : await this.#authenticate(sent, needs));
    const pair = sent === null ? null : `${sent.secretHash.toString('base64')} ${sent.clientId}`;
    const auth = pair === null ? null : await this.#admission.lookUp(pair, failures, find);
    if (auth === null) {
      limiter.take(failures.key, failures.perMinute);
      throw sent === null ? missingCredentials() : invalidCredentials();
    }
    factsOf(req).accountId = auth.accountId;
    return auth;
  }

  /**
   * Counts the request and the announced bytes of its body, and sets the rate headers.
   * @throws AppError `rate_limited`
   */
  admit(auth: AuthRecord, req: Request, res: Response): void {
    const { limiter, config } = this.#app;
    const state = limiter.take(requestsKey(auth), config.rateLimitPerMinute);
    res.set(rateHeaders(state));
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced === 0) return;
    const bytes = limiter.hit(bytesKey(auth), config.bodyBytesPerMinute, announced);
    if (bytes.exceeded) throw rateLimited(state, TOO_MANY_BYTES);
  }

  /**
   * Counts bytes of a body that came without an announced length, as they are read.
   * @throws AppError `rate_limited`
   */
  countBytes(auth: AuthRecord, bytes: number): void {
    const { limiter, config } = this.#app;
    const state = limiter.charge(bytesKey(auth), config.bodyBytesPerMinute, bytes);
    if (!state.exceeded) return;
    throw rateLimited(limiter.hit(requestsKey(auth), config.rateLimitPerMinute, 0), TOO_MANY_BYTES);
  }
}

function requestsKey({ accountId }: AuthRecord): string {
  return `client:${accountId}`;
}

function bytesKey({ accountId }: AuthRecord): string {
  return `bytes:${accountId}`;
}
