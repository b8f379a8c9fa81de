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

  /** Ends all, what came last first. @throws AggregateError of what failed, after the rest. */
  async end(): Promise<void> {
    const errors: unknown[] = [];
    for (const fn of this.#work.splice(0).reverse()) {
      try {
        await fn();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be ended.');
  }
}
