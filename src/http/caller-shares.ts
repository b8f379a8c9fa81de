import { Overloaded } from '../domain/errors.js';

/** Counts what each caller has under way, and holds each to a part of what there is for all. */
export class CallerShares {
  readonly #most: number;
  readonly #byCaller = new Map<string, number>();

  /** `most`: what one caller may have at the same time; rounded up. */
  constructor(most: number) {
    this.#most = Math.ceil(most);
  }

  isFull(caller: string): boolean {
    return (this.#byCaller.get(caller) ?? 0) >= this.#most;
  }

  /** Counts one more for the caller, until the returned function is called, once. @throws Overloaded where there are enough */
  take(caller: string): () => void {
    if (this.isFull(caller)) throw new Overloaded();
    return this.add(caller);
  }

  /** As {@link take}, for what is there already: it counts even where there are enough. */
  add(caller: string): () => void {
    this.#byCaller.set(caller, (this.#byCaller.get(caller) ?? 0) + 1);
    return () => {
      const others = (this.#byCaller.get(caller) ?? 0) - 1;
      if (others > 0) this.#byCaller.set(caller, others);
      else this.#byCaller.delete(caller);
    };
  }
}
