/** So many keys are kept before those that are free again are dropped. */
const KEPT_KEYS = 1000;

/** Spaces the work of a key out: so many pieces at once, then one each `everyMs`; no key waits for another one. */
export class Turns {
  readonly #burst: number;
  readonly #everyMs: number;
  readonly #now: () => number;
  /** When the next piece of a key is due, its burst aside. */
  readonly #nextAt = new Map<number, number>();

  constructor(limits: { burst: number; everyMs: number }, now: () => number = () => performance.now()) {
    this.#burst = limits.burst;
    this.#everyMs = limits.everyMs;
    this.#now = now;
  }

  /** Takes the next turn of the key, and gives how long it is until then. */
  take(key: number): number {
    const now = this.#now();
    const rested = now - (this.#burst - 1) * this.#everyMs;
    if (this.#nextAt.size >= KEPT_KEYS) this.#dropBefore(rested);
    const at = Math.max(this.#nextAt.get(key) ?? rested, rested);
    this.#nextAt.set(key, at + this.#everyMs);
    return Math.max(0, at - now);
  }

  #dropBefore(rested: number): void {
    for (const [key, at] of this.#nextAt) if (at <= rested) this.#nextAt.delete(key);
  }
}
