import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Executor } from '../../db/database.js';
import { addHits } from '../../db/queries/rate-limits.js';
import { AppError } from '../../domain/errors.js';
import { LIMITS } from '../../lib/limits/values.js';

const MERGE_EVERY_MS = 250;
const MERGE_AFTER_TROUBLE_MS = 2000;
const CALLERS_COUNTED = 100_000;

const WINDOW_SECONDS = 60;

/** The caller's state in the present window. `resetAt` is in Unix seconds. */
export interface RateState {
  limit: number;
  remaining: number;
  resetAt: number;
  exceeded: boolean;
}

/** The count of one key: the last total from MySQL, and what this process counted since. */
interface Count {
  readonly keyHash: Buffer;
  readonly windowStart: number;
  stored: number;
  unsent: number;
}

/**
 * Counts in fixed windows of a minute. A request is counted in memory, without a statement. Four times a second the
 * counted keys of all API processes are merged through MySQL, in two statements. One process never exceeds the limit;
 * several together exceed it by what the others admitted since the last merge: about a quarter of a second of requests,
 * at most one limit per further process. While MySQL is down each process counts for itself. Requests over the limit
 * are not counted, so they cost nothing.
 */
export class RateLimiter {
  readonly #store: Executor | null;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #counts = new Map<string, Count>();
  readonly #changed = new Set<Count>();
  /** Requests under way, by key; see {@link hold}. */
  readonly #held = new Map<string, number>();
  #merging = false;
  #troubled = false;

  /** `store`: merges the counts of processes; null counts for this process alone. */
  constructor(store: Executor | null, log: Pick<Logger, 'warn'>) {
    this.#store = store;
    this.#log = log;
  }

  /** Counts `amount` of `key` if the limit (a minute) has room for it, and returns the key's state. */
  hit(key: string, limit: number, amount = 1): RateState {
    const count = this.#countOf(key);
    if (used(count) + amount > limit) return stateOf(count, limit, true);
    this.#add(count, amount);
    return stateOf(count, limit, false);
  }

  /** Like {@link hit}. @throws AppError `rate_limited` where the limit has no room */
  take(key: string, limit: number): RateState {
    const state = this.hit(key, limit);
    if (state.exceeded) throw rateLimited(state);
    return state;
  }

  /** Counts what has already happened, even beyond the limit; returns the key's state. */
  charge(key: string, limit: number, amount: number): RateState {
    const count = this.#countOf(key);
    this.#add(count, amount);
    return stateOf(count, limit, used(count) > limit);
  }

  /**
   * Holds a place of `key` for something of which it is not known yet whether it counts. What is returned ends that,
   * and says whether it did. @throws AppError `rate_limited` where the limit has no room beside all that is held
   */
  hold(key: string, limit: number): (isCounted: boolean) => void {
    const count = this.#countOf(key);
    const held = this.#held.get(key) ?? 0;
    if (used(count) + held >= limit) throw rateLimited(stateOf(count, limit, true));
    this.#held.set(key, held + 1);
    return (isCounted) => {
      const rest = (this.#held.get(key) ?? 1) - 1;
      if (rest === 0) this.#held.delete(key);
      else this.#held.set(key, rest);
      if (isCounted) this.charge(key, limit, 1);
    };
  }

  /** The state of a key without room in the present window; else null. Counts nothing. */
  blocked(key: string, limit: number): RateState | null {
    const count = this.#counts.get(key);
    const isFull = count?.windowStart === windowStart() && used(count) >= limit;
    return isFull ? stateOf(count, limit, true) : null;
  }

  #add(count: Count, amount: number): void {
    count.unsent += amount;
    if (this.#store === null || amount === 0) return;
    this.#changed.add(count);
    if (!this.#merging) void this.#merge(this.#store);
  }

  #countOf(key: string): Count {
    const start = windowStart();
    const known = this.#counts.get(key);
    if (known?.windowStart === start) return known;
    this.#counts.delete(key);
    // The map is ordered by window: expired ones come first.
    for (const [old, count] of this.#counts) {
      if (count.windowStart === start && this.#counts.size < CALLERS_COUNTED) break;
      this.#counts.delete(old);
    }
    const keyHash = createHash('sha256').update(key).digest();
    const fresh: Count = { keyHash, windowStart: start, stored: 0, unsent: 0 };
    this.#counts.set(key, fresh);
    return fresh;
  }

  /** Merges until nothing is left to merge. The timer keeps no process alive. */
  async #merge(store: Executor): Promise<void> {
    this.#merging = true;
    while (this.#changed.size > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, this.#troubled ? MERGE_AFTER_TROUBLE_MS : MERGE_EVERY_MS).unref();
      });
      await this.#mergeOnce(store);
    }
    this.#merging = false;
  }

  async #mergeOnce(store: Executor): Promise<void> {
    const start = windowStart();
    const changed = [...this.#changed].filter((count) => count.windowStart === start);
    this.#changed.clear();
    for (let from = 0; from < changed.length; from += LIMITS.database.insertedRows) {
      const part = changed.slice(from, from + LIMITS.database.insertedRows);
      try {
        await mergePart(store, start, part);
        this.#troubled = false;
      } catch {
        if (!this.#troubled) this.#log.warn('The rate limit store does not answer; counting in memory.');
        this.#troubled = true;
        for (const count of changed.slice(from)) this.#changed.add(count);
        return;
      }
    }
  }
}

async function mergePart(store: Executor, start: number, part: readonly Count[]): Promise<void> {
  const sent = part.map((count) => ({ keyHash: count.keyHash, hits: count.unsent }));
  const totals = await addHits(store, { windowStart: start, counts: sent });
  const byHash = new Map(totals.map(({ keyHash, hits }) => [keyHash.toString('base64'), hits]));
  for (const [index, count] of part.entries()) {
    const own = sent[index]?.hits ?? 0;
    count.unsent -= own;
    count.stored = byHash.get(count.keyHash.toString('base64')) ?? count.stored + own;
  }
}

function used({ stored, unsent }: Count): number {
  return stored + unsent;
}

function stateOf(count: Count, limit: number, exceeded: boolean): RateState {
  const remaining = exceeded ? 0 : Math.max(0, limit - used(count));
  return { limit, remaining, resetAt: count.windowStart + WINDOW_SECONDS, exceeded };
}

/** The headers with the caller's state. */
export function rateHeaders(state: RateState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(state.resetAt),
  };
}

/** 429 with `Retry-After` and the rate headers. */
export function rateLimited(state: RateState, message = 'Too many requests. Try again later.'): AppError {
  const retryAfter = Math.max(1, Math.ceil(state.resetAt - Date.now() / 1000));
  return new AppError('rate_limited', message, {
    headers: { ...rateHeaders(state), 'Retry-After': String(retryAfter) },
  });
}

function windowStart(): number {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return nowSeconds - (nowSeconds % WINDOW_SECONDS);
}
