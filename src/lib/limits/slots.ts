/** Counts what is in use at the same time, of all keys together and of each: places, requests, or bytes. */
export class Slots {
  readonly #total: number;
  readonly #perKey: number;
  readonly #byKey = new Map<string, number>();
  #taken = 0;

  constructor({ total = Number.POSITIVE_INFINITY, perKey = total }: { total?: number; perKey?: number }) {
    this.#total = total;
    this.#perKey = perKey;
  }

  /** What the key may still take. `total`: what all may have together, where less than usual. */
  free(key: string, total = this.#total): number {
    return Math.min(total - this.#taken, this.#perKey - (this.#byKey.get(key) ?? 0));
  }

  /** Takes `count` where there are as many; the function that is returned gives them back, once. Else null. */
  tryTake(key: string, count = 1, total?: number): (() => void) | null {
    return this.free(key, total) < count ? null : this.take(key, count);
  }

  /** As {@link tryTake}, for what is there already: it counts even where there is no room. */
  take(key: string, count = 1): () => void {
    this.#change(key, count);
    return () => this.#change(key, -count);
  }

  #change(key: string, count: number): void {
    const ofKey = (this.#byKey.get(key) ?? 0) + count;
    this.#taken += count;
    if (ofKey > 0) this.#byKey.set(key, ofKey);
    else this.#byKey.delete(key);
  }
}
