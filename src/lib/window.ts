/** Bounds of a {@link Window}. */
export interface WindowLimits {
  least: number;
  most: number;
}

const START = 3;
/** Work that only waits for other work of ours: below the first figure the window grows, above the second it shrinks. */
const QUEUED_LEAST = 0.8;
const QUEUED_MOST = 1.4;
const SMOOTHING = 0.1;
/** How fast the shortest time is forgotten, for a system that became slower: by half in some thousand pieces of work. */
const FORGETTING = 0.0003;
const SAMPLES = 3;

/**
 * Places for work, as many as keep a system busy and no more: when work takes longer than the shortest seen, part of
 * it stands in a queue somewhere, where everybody else's work waits behind it. A slow carrier makes the window wide, a
 * busy machine makes it narrow. (The rule is that of TCP Vegas.) Who finds no place free waits in line.
 */
export class Window {
  readonly #limits: WindowLimits;
  readonly #line: (() => void)[] = [];
  #size: number;
  #taken = 0;
  #shortestMs = Number.POSITIVE_INFINITY;
  #usualMs = 0;
  #recent: number[] = [];
  #sinceChange = 0;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
    this.#size = Math.min(Math.max(START, limits.least), limits.most);
  }

  /** Pieces of work that may be under way at once, now. */
  get size(): number {
    return this.#size;
  }

  /** Runs `work` as soon as a place is free, and frees the place when it ends. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#size || this.#line.length > 0) {
      await new Promise<void>((resolve) => this.#line.push(resolve));
    } else {
      this.#taken += 1;
    }
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      this.#admit();
    }
  }

  /** Tells how long a whole piece of work took in its place, in ms; what was cut short does not count. */
  took(ms: number): void {
    this.#recent = [...this.#recent, ms].slice(-SAMPLES);
    // The middle of three, so that one piece of work that found its result ready does not count as the measure.
    const middle = this.#recent.toSorted((one, other) => one - other)[1];
    if (middle === undefined) return;
    this.#usualMs = this.#usualMs === 0 ? ms : this.#usualMs + (ms - this.#usualMs) * SMOOTHING;
    const drifted = this.#shortestMs + (this.#usualMs - this.#shortestMs) * FORGETTING;
    this.#shortestMs = Math.min(middle, Number.isNaN(drifted) ? middle : drifted);
    this.#sinceChange += 1;
    if (this.#sinceChange >= this.#size) this.#adjust();
  }

  #adjust(): void {
    this.#sinceChange = 0;
    const queued = this.#size * (1 - this.#shortestMs / this.#usualMs);
    if (queued < QUEUED_LEAST && this.#line.length > 0) {
      this.#size = Math.min(this.#size + 1, this.#limits.most);
    } else if (queued > QUEUED_MOST) {
      this.#size = Math.max(this.#size - 1, this.#limits.least);
    }
    this.#admit();
  }

  #admit(): void {
    while (this.#taken < this.#size) {
      const next = this.#line.shift();
      if (next === undefined) return;
      this.#taken += 1;
      next();
    }
  }
}

/** Windows by name: the same name always means the same window. */
export function windowsByName(limits: WindowLimits): (name: string) => Window {
  const known = new Map<string, Window>();
  return (name) => {
    const window = known.get(name) ?? new Window(limits);
    known.set(name, window);
    return window;
  };
}
