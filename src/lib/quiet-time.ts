/** Whether something happened recently. */
export class QuietTime {
  readonly #afterMs: number;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** `afterMs`: quiet after this long without an event. */
  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** Records an event now. */
  note(): void {
    this.#lastAt = performance.now();
  }

  /** Whether no event happened for that long, or ever. */
  get isQuiet(): boolean {
    return performance.now() - this.#lastAt > this.#afterMs;
  }
}
