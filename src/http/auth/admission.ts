import { LRUCache } from 'lru-cache';
import { Rate } from '../../lib/limits/rate.js';
import { LIMITS } from '../../lib/limits/values.js';
import { callerAddress } from '../middleware/caller-address.js';
import { type RateLimiter, rateLimited } from '../middleware/rate-limit.js';
import type { MountedApp } from '../mounted-app.js';

const { knownKept, rightKeptMs, wrongKeptMs, lookups, lookupsPerSecond } = LIMITS.callers;

/** A counter of the rate limiter, and its limit per minute. */
export interface Limit {
  key: string;
  perMinute: number;
}

/** The failed authentications of the caller's address, in both versions of the API together. */
export function failuresOf(req: { ip?: string | undefined }, { config }: Pick<MountedApp, 'config'>): Limit {
  return { key: `address:${callerAddress(req)}`, perMinute: config.authFailuresPerMinute };
}

/**
 * Looks up credentials of one kind. From an address over its limit only wrong ones are refused: recently valid
 * credentials are looked up as always, unknown ones as long as the look-ups of such addresses are few. A caller known
 * to be over the limit is refused without a statement.
 */
export class Admission<Found> {
  readonly #limiter: RateLimiter;
  readonly #limitOf: (found: Found) => Limit | null;
  /** Recently valid credentials, with their owner's counter. They are looked up again each time. */
  readonly #known = new LRUCache<string, { limit: Limit | null }>({ max: knownKept, ttl: rightKeptMs });
  readonly #refused = new LRUCache<string, true>({ max: knownKept, ttl: wrongKeptMs });
  readonly #whileBlocked = new Rate({ perSecond: lookupsPerSecond, burst: lookups });

  /** `limitOf`: the counter for requests with the credentials; null if they are not counted by owner. */
  constructor(limiter: RateLimiter, limitOf: (found: Found) => Limit | null) {
    this.#limiter = limiter;
    this.#limitOf = limitOf;
  }

  /**
   * The result of `find`; null for wrong credentials. `credentials`: a hash of them. `address`: the counter that blocks
   * the caller's address.
   * @throws AppError `rate_limited` where that is known before the look-up
   */
  async lookUp<T extends Found>(
    credentials: string,
    address: Limit,
    find: () => Promise<T | null>,
  ): Promise<T | null> {
    const known = this.#known.get(credentials);
    const limit = known === undefined ? address : known.limit;
    const blocked = limit === null ? null : this.#limiter.blocked(limit.key, limit.perMinute);
    if (blocked !== null && (known !== undefined || !this.#mayLookUp(credentials)))
      throw rateLimited(blocked);
    const found = await find();
    if (found === null) {
      this.#known.delete(credentials);
      this.#refused.set(credentials, true);
    } else {
      this.#known.set(credentials, { limit: this.#limitOf(found) });
      this.#refused.delete(credentials);
    }
    return found;
  }

  #mayLookUp(unknown: string): boolean {
    return !this.#refused.get(unknown) && this.#whileBlocked.take() !== null;
  }
}
