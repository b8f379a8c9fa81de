import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';

/**
 * The bytes of bodies, of requests or of answers, that a process holds at the same time, so that no number of requests
 * takes its memory. A caller gets half of them at most, and bodies above 256 KiB three quarters: single creations go on
 * beside batches.
 */
export class BodyBudget {
  readonly #limitBytes: number;
  readonly #slots: Slots;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#slots = new Slots({ total: limitBytes, perKey: LIMITS.requests.bodiesOfCallerShare * limitBytes });
  }

  /** The part of one body, empty at first. */
  open(caller: string): BodyShare {
    return new BodyShare(this.#slots, caller, LIMITS.requests.largeBodiesShare * this.#limitBytes);
  }
}

/** What one body holds of the budget. */
export class BodyShare {
  readonly #slots: Slots;
  readonly #caller: string;
  readonly #ofLarge: number;
  readonly #releases: (() => void)[] = [];
  #held = 0;

  /** `ofLarge`: bytes of all bodies while this one is large. */
  constructor(slots: Slots, caller: string, ofLarge: number) {
    this.#slots = slots;
    this.#caller = caller;
    this.#ofLarge = ofLarge;
  }

  /** Whether so many bytes more could be held now. Takes none of them. */
  hasRoomFor(bytes: number): boolean {
    return this.#slots.free(this.#caller, this.#total(bytes)) >= bytes;
  }

  /** Takes so many bytes more; false when they are not to be had. */
  grow(bytes: number): boolean {
    const release = this.#slots.tryTake(this.#caller, bytes, this.#total(bytes));
    if (release === null) return false;
    this.#releases.push(release);
    this.#held += bytes;
    return true;
  }

  /** Gives everything back. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
    this.#held = 0;
  }

  #total(more: number): number | undefined {
    return this.#held + more > LIMITS.requests.largeBodyBytes ? this.#ofLarge : undefined;
  }
}
