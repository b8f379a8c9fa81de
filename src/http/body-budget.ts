/** Bodies above it leave room for those below. */
const LARGE_BYTES = 256 * 1024;
/** Of the whole, what large bodies may take together. */
const LARGE_SHARE = 0.75;
/** Of the whole, what one caller may take. */
const CALLER_SHARE = 0.5;

/**
 * The bytes of bodies, of requests or of answers, that a process holds at the same time, so that no number of requests
 * takes its memory. A caller gets half of them at most, and bodies above 256 KiB three quarters: single creations go on
 * beside batches.
 */
export class BodyBudget {
  readonly #limitBytes: number;
  readonly #byCaller = new Map<string, number>();
  #taken = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The part of one body, empty at first. */
  open(caller: string): BodyShare {
    return new BodyShare({
      hasRoom: (bytes) => this.#hasRoom(caller, bytes, 0),
      take: (bytes, held) => this.#take(caller, bytes, held),
    });
  }

  #hasRoom(caller: string, bytes: number, held: number): boolean {
    return !this.#isTooMuch(this.#taken + bytes, (this.#byCaller.get(caller) ?? 0) + bytes, held + bytes);
  }

  #take(caller: string, bytes: number, held: number): boolean {
    if (bytes > 0 && !this.#hasRoom(caller, bytes, held)) return false;
    const ofCaller = (this.#byCaller.get(caller) ?? 0) + bytes;
    this.#taken += bytes;
    if (ofCaller === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, ofCaller);
    return true;
  }

  #isTooMuch(taken: number, ofCaller: number, ofBody: number): boolean {
    const most = ofBody > LARGE_BYTES ? LARGE_SHARE * this.#limitBytes : this.#limitBytes;
    return taken > most || ofCaller > CALLER_SHARE * this.#limitBytes;
  }
}

/** The budget as one body sees it; `held`: the bytes that it has so far. */
interface CallersBudget {
  hasRoom(bytes: number): boolean;
  take(bytes: number, held: number): boolean;
}

/** What one body holds of the budget. */
export class BodyShare {
  readonly #budget: CallersBudget;
  #held = 0;

  constructor(budget: CallersBudget) {
    this.#budget = budget;
  }

  /** Whether a body of so many bytes could be held now. Takes none of them. */
  hasRoomFor(bytes: number): boolean {
    return this.#budget.hasRoom(bytes);
  }

  /** Takes so many bytes more; false when they are not to be had. */
  grow(bytes: number): boolean {
    const isTaken = this.#budget.take(bytes, this.#held);
    if (isTaken) this.#held += bytes;
    return isTaken;
  }

  /** Gives everything back. */
  release(): void {
    this.#budget.take(-this.#held, this.#held);
    this.#held = 0;
  }
}
