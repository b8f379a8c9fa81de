/** Whoever ends what was started: an ava test, or {@link CleanUps}. */
export interface Owner {
  teardown(fn: () => unknown): void;
}

/** Owns what lives longer than a test. For the tests of a file: `test.after.always(() => cleanUps.end())`. */
export class CleanUps implements Owner {
  readonly #work: (() => unknown)[] = [];

  teardown(fn: () => unknown): void {
    this.#work.push(fn);
  }

  /** Ends all, what came last first. */
  async end(): Promise<void> {
    for (const fn of this.#work.splice(0).reverse()) await fn();
  }
}
