/** A map of at most so many entries, of which the one that was written first goes when another comes. */
export class RecentMap<V> {
  readonly #entries = new Map<string, { value: V; until: number }>();
  readonly #most: number;
  readonly #keepMs: number;

  constructor({ most, keepMs }: { most: number; keepMs: number }) {
    this.#most = most;
    this.#keepMs = keepMs;
  }

  /** What was written under the key within the time to keep. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > Date.now()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= this.#most) this.#entries.delete(oldest);
    this.#entries.set(key, { value, until: Date.now() + this.#keepMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
