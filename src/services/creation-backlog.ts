import { Overloaded } from '../domain/errors.js';
import { LIMITS } from '../lib/limits/values.js';

/**
 * The creations of a process that no worker has begun. They are taken while workers begin them soon, whatever their
 * number; a queue that only grows would have everybody wait until nobody listens any more.
 */
export class CreationBacklog {
  readonly #now: () => number;
  /** Oldest first, as maps keep their order. */
  readonly #unbegun = new Map<string, { since: number; waits: number }>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Takes a creation, by what names it: whoever asks for one that waits already waits with it. The returned function
   * tells that it has begun, or that its caller waits no longer;
   * it may be called again.
   * @throws Overloaded while workers are behind
   */
  enter(name: string): () => void {
    const creation = this.#unbegun.get(name) ?? this.#add(name);
    creation.waits += 1;
    let isWaiting = true;
    return () => {
      if (!isWaiting) return;
      isWaiting = false;
      creation.waits -= 1;
      if (creation.waits === 0 && this.#unbegun.get(name) === creation) this.#unbegun.delete(name);
    };
  }

  #add(name: string): { since: number; waits: number } {
    const [oldest] = this.#unbegun.values();
    const isBehind = oldest !== undefined && this.#now() - oldest.since > LIMITS.creations.behindMs;
    if (isBehind && this.#unbegun.size >= LIMITS.creations.alwaysTaken) throw new Overloaded();
    const creation = { since: this.#now(), waits: 0 };
    this.#unbegun.set(name, creation);
    return creation;
  }
}
