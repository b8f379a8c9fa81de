import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.js';
import { countHit } from '../../db/queries/rate-limits.js';
import { AppError } from '../../domain/errors.js';

const WINDOW_SECONDS = 60;
/** Keys that the memory keeps at most; over that, windows that have passed are dropped. */
const MAX_MEMORY_KEYS = 10_000;

/** Where a caller stands in the present window. `resetAt` is in Unix seconds. */
export interface RateState {
  limit: number;
  remaining: number;
  resetAt: number;
  exceeded: boolean;
}

/**
 * Counts hits in fixed windows of a minute, in MySQL and so for all API processes together. While the store
 * does not answer each process counts for itself.
 */
export class RateLimiter {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #memory = new Map<string, { windowStart: number; hits: number }>();
  readonly #blocked = new Map<string, number>();

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Counts one hit of `key` and says where it stands. `limit` is per minute. */
  async hit(key: string, limit: number): Promise<RateState> {
    const nowSeconds = Math.floor(Date.now() / 1000);
    const hits = await this.#count(key, nowSeconds);
    const resetAt = windowStart(nowSeconds) + WINDOW_SECONDS;
    const state = { limit, remaining: Math.max(0, limit - hits), resetAt, exceeded: hits > limit };
    if (state.exceeded) this.#block(key, resetAt);
    return state;
  }

  /** The state of a key that this process saw exceed its limit in the present window; else null. */
  blocked(key: string, limit: number): RateState | null {
    const resetAt = this.#blocked.get(key);
    if (resetAt === undefined) return null;
    if (resetAt > Date.now() / 1000) return { limit, remaining: 0, resetAt, exceeded: true };
    this.#blocked.delete(key);
    return null;
  }

  #block(key: string, resetAt: number): void {
    if (this.#blocked.size >= MAX_MEMORY_KEYS) {
      for (const [old, until] of this.#blocked) if (until <= Date.now() / 1000) this.#blocked.delete(old);
    }
    if (this.#blocked.size < MAX_MEMORY_KEYS) this.#blocked.set(key, resetAt);
  }

  async #count(key: string, nowSeconds: number): Promise<number> {
    const keyHash = createHash('sha256').update(key).digest();
    try {
      return await countHit(this.#db, { keyHash, windowSeconds: WINDOW_SECONDS, nowSeconds });
    } catch {
      this.#log.warn('The rate limit store does not answer; counting in memory.');
      return this.#countInMemory(key, windowStart(nowSeconds));
    }
  }

  #countInMemory(key: string, start: number): number {
    if (this.#memory.size >= MAX_MEMORY_KEYS) {
      for (const [old, entry] of this.#memory) if (entry.windowStart < start) this.#memory.delete(old);
      if (this.#memory.size >= MAX_MEMORY_KEYS) this.#memory.clear();
    }
    const entry = this.#memory.get(key);
    const hits = entry?.windowStart === start ? entry.hits + 1 : 1;
    this.#memory.set(key, { windowStart: start, hits });
    return hits;
  }
}

/** The headers that tell a caller where it stands. */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.resetAt),
  };
}

/** 429 with `Retry-After` and the rate headers. */
export function rateLimited(state: RateState): AppError {
  const retryAfter = Math.max(1, Math.ceil(state.resetAt - Date.now() / 1000));
  return new AppError('rate_limited', 'Too many requests. Try again later.', {
    headers: { ...rateHeaders(state), 'Retry-After': String(retryAfter) },
  });
}

function windowStart(nowSeconds: number): number {
  return nowSeconds - (nowSeconds % WINDOW_SECONDS);
}
