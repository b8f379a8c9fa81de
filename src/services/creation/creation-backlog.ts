import { Overloaded } from '../../domain/errors.js';
import { LIMITS } from '../../lib/limits/values.js';

const BEHIND_AFTER_MS = 3000;

/**
 * Creations of this process that no worker has begun. Any number is accepted while workers begin them soon; if
 * they fall behind, more are rejected, since callers would give up waiting.
 */
export class CreationBacklog {
  readonly #now: () => number;
  /** Oldest first. */
  readonly #unbegun = new Map<string, { since: number; waits: number }>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get used(): number {
    return this.#unbegun.size;
  }

  /** Beyond it creations are rejected while workers are behind. */
  get limit(): number {
    return LIMITS.creations.alwaysTaken;
  }

  /**
   * Adds a creation by name; callers of the same creation share an entry. The returned function removes it,
   * when it has begun or the caller gives up; it may be called again. @throws Overloaded while workers are
   * behind
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
    const isBehind = oldest !== undefined && this.#now() - oldest.since > BEHIND_AFTER_MS;
    if (isBehind && this.#unbegun.size >= LIMITS.creations.alwaysTaken) throw new Overloaded();
    const creation = { since: this.#now(), waits: 0 };
    this.#unbegun.set(name, creation);
    return creation;
  }
}
