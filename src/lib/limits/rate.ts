import { setTimeout as delay } from 'node:timers/promises';

/** Keys are kept until they are as fresh as new ones; they are checked whenever their number has doubled. */
const FIRST_LOOK = 1000;

/** Admits `burst` turns of each key at once and `perSecond` in the long run; keys do not wait for each other. */
export class Rate {
  readonly #everyMs: number;
  readonly #burst: number;
  readonly #now: () => number;
  /** When the next turn of a key is due, without the burst. */
  readonly #nextAt = new Map<string | number, number>();
  #lookAt = FIRST_LOOK;

  constructor(
    { perSecond, burst = 1 }: { perSecond: number; burst?: number },
    now: () => number = () => performance.now(),
  ) {
    this.#everyMs = 1000 / perSecond;
    this.#burst = burst;
    this.#now = now;
  }

  /**
   * Takes the key's next turn if it is due within `withinMs`, and returns the time until then; null, without taking it,
   * if it is later.
   */
  take(key: string | number = '', withinMs = 0): number | null {
    const now = this.#now();
    const rested = now - (this.#burst - 1) * this.#everyMs;
    const at = Math.max(this.#nextAt.get(key) ?? rested, rested);
    const waitMs = Math.max(0, at - now);
    if (waitMs > withinMs) return null;
    if (this.#nextAt.size >= this.#lookAt) this.#dropBefore(rested);
    this.#nextAt.set(key, at + this.#everyMs);
    return waitMs;
  }

  /** Resolves at the next turn of the key, whenever that is. */
  async turn(key?: string | number): Promise<void> {
    const waitMs = this.take(key, Number.POSITIVE_INFINITY) ?? 0;
    if (waitMs > 0) await delay(waitMs);
  }

  #dropBefore(rested: number): void {
    for (const [key, at] of this.#nextAt) if (at <= rested) this.#nextAt.delete(key);
    this.#lookAt = Math.max(FIRST_LOOK, 2 * this.#nextAt.size);
  }
}
