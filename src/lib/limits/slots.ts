/** Counts places, requests or bytes in use, in total and by key. Beyond the limit `tryTake` refuses and `use` waits. */
export class Slots {
  readonly #total: number;
  readonly #perKey: number;
  readonly #byKey = new Map<unknown, number>();
  /** The waiting work by key; the key whose turn is next comes first. */
  readonly #waiting = new Map<unknown, ((release: () => void) => void)[]>();
  #taken = 0;

  constructor({
    total = Number.POSITIVE_INFINITY,
    perKey = total,
  }: { total?: number; perKey?: number } = {}) {
    this.#total = total;
    this.#perKey = perKey;
  }

  /** How much is in use. */
  get used(): number {
    return this.#taken;
  }

  /** How much may be in use. */
  get limit(): number {
    return this.#total;
  }

  /** How much work waits in {@link use}. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, line) => sum + line.length, 0);
  }

  /** How much the key has in use. */
  taken(key: unknown): number {
    return this.#byKey.get(key) ?? 0;
  }

  /** How much the key may still take. `total`: a lower total limit than usual. */
  free(key: unknown, total = this.#total): number {
    return Math.min(total - this.#taken, this.#perKey - this.taken(key));
  }

  /** Takes `count` if free, and returns the function that releases them, once. Else null. */
  tryTake(key: unknown, count = 1, total?: number): (() => void) | null {
    return this.free(key, total) < count ? null : this.take(key, count);
  }

  /** Like {@link tryTake}, for what exists already: it counts even beyond the limit. */
  take(key: unknown, count = 1): () => void {
    this.#change(key, count);
    return () => {
      this.#change(key, -count);
      this.#admit();
    };
  }

  /** Runs the work in a slot. While none is free it waits: keys take turns, first in, first out within a key. */
  async use<T>(work: () => Promise<T>, key?: unknown): Promise<T> {
    const release = this.tryTake(key) ?? (await this.#turn(key));
    try {
      return await work();
    } finally {
      release();
    }
  }

  #turn(key: unknown): Promise<() => void> {
    return new Promise((begin) => {
      const line = this.#waiting.get(key);
      if (line === undefined) this.#waiting.set(key, [begin]);
      else line.push(begin);
    });
  }

  /** A released slot goes to waiting work before new work can take it. */
  #admit(): void {
    for (const [key, line] of this.#waiting) {
      if (this.#taken >= this.#total) return;
      const release = this.tryTake(key);
      if (release === null) continue;
      line.shift()?.(release);
      this.#waiting.delete(key);
      if (line.length > 0) this.#waiting.set(key, line);
    }
  }

  #change(key: unknown, count: number): void {
    const ofKey = this.taken(key) + count;
    this.#taken += count;
    if (ofKey > 0) this.#byKey.set(key, ofKey);
    else this.#byKey.delete(key);
  }
}
