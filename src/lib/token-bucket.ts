/** Lets through `burst` at once and `perSecond` in the long run. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #at = performance.now();

  constructor({ perSecond, burst }: { perSecond: number; burst: number }) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Takes a token; false when there is none now. */
  take(): boolean {
    return this.reserve(0) !== null;
  }

  /** Takes the next token ahead of its time, and gives how many ms it is until then; null when that is too long. */
  reserve(withinMs: number): number | null {
    const now = performance.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    const waitMs = Math.max(0, ((1 - this.#tokens) / this.#perSecond) * 1000);
    if (waitMs > withinMs) return null;
    this.#tokens -= 1;
    return waitMs;
  }
}
