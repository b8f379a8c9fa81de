/**
 * Estimated queued tasks: below the first figure the window grows, above the second it shrinks. Queued tasks keep every
 * part of the system busy, but others wait behind them.
 */
const QUEUED = { alone: [2.5, 4], beside: [0.3, 0.7] } as const;
const SMOOTHING = 0.1;
/** This many tasks, one at a time, measure the time alone; repeated after `PROBE_EVERY` tasks. */
const PROBE_SAMPLES = 6;
const PROBE_EVERY = 2000;
const FILTER = 3;

/**
 * As many places as keep a system busy and no more. Work that takes longer than alone is partly queued somewhere, and
 * other work waits behind it. A slow carrier widens the window, a busy machine narrows it, more so while others need
 * it. (The rule of TCP Vegas.) Work without a free place waits in line.
 */
export class Window {
  readonly #most: number;
  readonly #isAlone: () => boolean;
  readonly #line: (() => void)[] = [];
  #size = 1;
  #sizeAfterProbe = 2;
  #probesLeft = PROBE_SAMPLES;
  #untilProbe = PROBE_EVERY;
  #taken = 0;
  #aloneMs = Number.POSITIVE_INFINITY;
  #usualMs = 0;
  #recent: number[] = [];
  #sinceChange = 0;

  /** `most`: maximum places, however slow the work. `isAlone`: whether no other work waits for the system now. */
  constructor(most: number, isAlone: () => boolean) {
    this.#most = most;
    this.#isAlone = isAlone;
  }

  /** How many tasks may run at once, now. */
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

  /** Records the duration of a complete task in its place, in ms; a task that was cut short does not count. */
  took(ms: number): void {
    this.#recent = [...this.#recent, ms].slice(-FILTER);
    // The middle of three, so that one task that found its result ready does not set the measure.
    const middle = this.#recent.toSorted((one, other) => one - other)[1] ?? ms;
    if (this.#recent.length === FILTER) this.#aloneMs = Math.min(this.#aloneMs, middle);
    if (this.#probesLeft > 0) this.#probe();
    else this.#follow(ms);
    this.#admit();
  }

  #probe(): void {
    this.#probesLeft -= 1;
    if (this.#probesLeft > 0) return;
    this.#usualMs = this.#aloneMs;
    this.#untilProbe = PROBE_EVERY;
    this.#size = Math.min(this.#sizeAfterProbe, this.#most);
  }

  #follow(ms: number): void {
    this.#usualMs += (ms - this.#usualMs) * SMOOTHING;
    this.#sinceChange += 1;
    this.#untilProbe -= 1;
    if (this.#untilProbe <= 0) this.#startProbe();
    else if (this.#sinceChange >= this.#size) this.#adjust();
  }

  #startProbe(): void {
    this.#sizeAfterProbe = this.#size;
    this.#size = 1;
    this.#probesLeft = PROBE_SAMPLES;
    this.#aloneMs = Number.POSITIVE_INFINITY;
    this.#recent = [];
  }

  #adjust(): void {
    this.#sinceChange = 0;
    const queued = this.#size * (1 - this.#aloneMs / this.#usualMs);
    const [least, most] = this.#isAlone() ? QUEUED.alone : QUEUED.beside;
    if (queued < least && this.#line.length > 0) this.#size = Math.min(this.#size + 1, this.#most);
    else if (queued > most) this.#size = Math.max(this.#size - 1, 1);
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
export function windowsByName(most: number, isAlone: () => boolean): (name: string) => Window {
  const known = new Map<string, Window>();
  return (name) => {
    const window = known.get(name) ?? new Window(most, isAlone);
    known.set(name, window);
    return window;
  };
}
