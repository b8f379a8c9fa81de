/** Counts what is under way by key, so that no key takes more than its share of places that all need. */
export class Shares {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** `most`: places of one key. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Places that the key may still take. */
  free(key: string): number {
    return this.#most - (this.#taken.get(key) ?? 0);
  }

  /** Takes a place; the function that is returned gives it back. Null where the key has its share. */
  take(key: string): (() => void) | null {
    if (this.free(key) <= 0) return null;
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#taken.get(key) ?? 1) - 1;
      if (left === 0) this.#taken.delete(key);
      else this.#taken.set(key, left);
    };
  }
}
