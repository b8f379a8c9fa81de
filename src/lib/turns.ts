/** So many keys are kept before those that are free again are dropped. */
const KEPT_KEYS = 1000;

/** Spaces the work of a key out: so many pieces at once, then one each `everyMs`; no key waits for another one. */
export class Turns {
  readonly #burst: number;
  readonly #everyMs: number;
  readonly #now: () => number;
  /** When the last piece of a key would be due, had it had no burst. */
  readonly #dueAt = new Map<number, number>();

  constructor(limits: { burst: number; everyMs: number }, now: () => number = Date.now) {
    this.#burst = limits.burst;
    this.#everyMs = limits.everyMs;
    this.#now = now;
  }

  /** Takes the next turn of the key, and gives how long it is until then. */
  take(key: number): number {
    const now = this.#now();
    if (this.#dueAt.size >= KEPT_KEYS) this.#dropFree(now);
    const dueAt = Math.max(this.#dueAt.get(key) ?? now, now) + this.#everyMs;
    this.#dueAt.set(key, dueAt);
    return Math.max(0, dueAt - now - this.#burst * this.#everyMs);
  }

  #dropFree(now: number): void {
    for (const [key, dueAt] of this.#dueAt) if (dueAt <= now) this.#dueAt.delete(key);
  }
}
