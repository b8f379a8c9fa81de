/** Cleans up at its end: an ava test, or {@link CleanUps}. */
export interface Owner {
  teardown(fn: () => unknown): void;
}

/** Cleans up after a file's tests: `test.after.always(() => cleanUps.end())`. */
export class CleanUps implements Owner {
  readonly #work: (() => unknown)[] = [];

  teardown(fn: () => unknown): void {
    this.#work.push(fn);
  }

  /** Cleans up in reverse order. @throws AggregateError of all failures */
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
