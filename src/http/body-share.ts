import { Slots } from '../lib/limits/slots.js';
import { LIMITS } from '../lib/limits/values.js';

/**
 * What one body holds of the bytes of bodies of a process. A body above 256 KiB finds room in a part of them only: single
 * creations go on beside batches.
 */
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

  /** Whether this many more bytes would fit now. Takes none. */
  hasRoomFor(bytes: number): boolean {
    return this.#slots.free(this.#caller, this.#total(bytes)) >= bytes;
  }

  /** Takes this many more bytes; false when they do not fit. */
  grow(bytes: number): boolean {
    const release = this.#slots.tryTake(this.#caller, bytes, this.#total(bytes));
    if (release === null) return false;
    this.#releases.push(release);
    this.#held += bytes;
    return true;
  }

  /** Releases everything. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
    this.#held = 0;
  }

  #total(more: number): number | undefined {
    return this.#held + more > LIMITS.requests.largeBodyBytes ? this.#ofLarge : undefined;
  }
}
