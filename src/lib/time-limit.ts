/** A deadline by two clocks: one runs while the machine sleeps, the other cannot be set back. */
export class TimeLimit {
  readonly #untilOnWall: number;
  readonly #untilOfProcess: number;

  constructor(limitMs: number) {
    this.#untilOnWall = Date.now() + limitMs;
    this.#untilOfProcess = performance.now() + limitMs;
  }

  get isOver(): boolean {
    return Date.now() > this.#untilOnWall || performance.now() > this.#untilOfProcess;
  }
}
