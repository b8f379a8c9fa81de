/** A host counts as slow once one of its calls has been under way for this long. */
const SLOW_MS = 2000;

/**
 * Keeps an unresponsive host from taking all the places that many hosts share: a slow host gets half of them at most,
 * any other may take all.
 */
export class HostPlaces {
  readonly #ofSlow: number;
  readonly #now: () => number;
  readonly #starts = new Map<string, Set<{ at: number }>>();

  /** `places`: shared by all hosts. */
  constructor(places: number, now: () => number = () => performance.now()) {
    this.#ofSlow = Math.max(1, Math.floor(places / 2));
    this.#now = now;
  }

  /** Begins a call to the host, and returns the function that ends it; null if the host has used up its part. */
  enter(host: string): (() => void) | null {
    const calls = this.#starts.get(host) ?? new Set();
    // Sets keep their order: the first call is the oldest.
    const [oldest] = calls;
    const isSlow = oldest !== undefined && this.#now() - oldest.at > SLOW_MS;
    if (isSlow && calls.size >= this.#ofSlow) return null;
    const call = { at: this.#now() };
    calls.add(call);
    this.#starts.set(host, calls);
    return () => {
      calls.delete(call);
      if (calls.size === 0) this.#starts.delete(host);
    };
  }
}
