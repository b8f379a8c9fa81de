/** A number of places for work; who finds none free waits in line. */
export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** Runs `work` as soon as a place is free, and frees the place when it ends. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** Places by name: the same name always means the same places. */
export function slotsByName(size: number): (name: string) => Slots {
  const known = new Map<string, Slots>();
  return (name) => {
    const slots = known.get(name) ?? new Slots(size);
    known.set(name, slots);
    return slots;
  };
}
