/** Knows whether something happened lately. */
export class QuietTime {
  readonly #afterMs: number;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** `afterMs`: it is quiet when nothing has happened for so long. */
  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** It happens now. */
  note(): void {
    this.#lastAt = performance.now();
  }

  /** Whether it has not happened for a while, or never. */
  get isQuiet(): boolean {
    return performance.now() - this.#lastAt > this.#afterMs;
  }
}
