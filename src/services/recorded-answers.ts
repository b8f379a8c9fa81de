import type { StoredAnswer } from '../contracts/create-shipment.js';

/** A first look comes after this part of the time that answers took lately. */
const FIRST_AT = 0.8;
/** From one look to the next, as a part of the age: late by a small part of what an answer took anyway. */
const NEXT_AFTER = 1 / 12;
const LEAST_STEP_MS = 3;
/** Older ones take their answer from the run, whose end is then no news of importance. */
const GIVE_UP_MS = 1000;
/** How much a new time counts against those before. */
const NEW_SHARE = 0.1;
const FIRST_GUESS_MS = 50;

interface Waiting {
  readonly uuid: string;
  readonly carrier: string;
  readonly since: number;
  nextAt: number;
  readonly tell: (answer: StoredAnswer) => void;
}

/**
 * Tells creations of their answer as soon as it is recorded: that is one or two steps of the engine before their run
 * has ended. All that wait in a process are looked for together, at about the time when answers of their carrier come.
 * A hint alone: whoever is told nothing takes the answer from the run.
 */
export class RecordedAnswers {
  readonly #find: (shipmentUuids: readonly string[]) => Promise<StoredAnswer[]>;
  readonly #waiting = new Map<string, Waiting>();
  /** How long the answers of a carrier took lately, in ms. */
  readonly #usual = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isLooking = false;

  /** `find`: the answers that are recorded for these shipments. */
  constructor(find: (shipmentUuids: readonly string[]) => Promise<StoredAnswer[]>) {
    this.#find = find;
  }

  /** Resolves with the answer of a creation that begins now, or never. `signal`: the caller waits no longer. */
  wait(uuid: string, carrier: string, signal: AbortSignal): Promise<StoredAnswer> {
    const since = performance.now();
    return new Promise((tell) => {
      const nextAt = since + FIRST_AT * (this.#usual.get(carrier) ?? FIRST_GUESS_MS);
      const waiting = { uuid, carrier, since, nextAt, tell };
      this.#waiting.set(uuid, waiting);
      signal.addEventListener('abort', () => this.#forget(waiting), { once: true });
      this.#schedule();
    });
  }

  /** However it was answered: the time counts. */
  #forget(waiting: Waiting): void {
    if (!this.#waiting.delete(waiting.uuid)) return;
    const tookMs = Math.min(performance.now() - waiting.since, GIVE_UP_MS);
    const usual = this.#usual.get(waiting.carrier) ?? tookMs;
    this.#usual.set(waiting.carrier, usual + NEW_SHARE * (tookMs - usual));
  }

  #schedule(): void {
    if (this.#isLooking || this.#waiting.size === 0) return;
    const at = Math.min(...[...this.#waiting.values()].map(({ nextAt }) => nextAt));
    if (at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => void this.#look(), Math.max(0, at - performance.now())).unref();
  }

  async #look(): Promise<void> {
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#isLooking = true;
    const now = performance.now();
    const due = [...this.#waiting.values()].filter(({ nextAt }) => nextAt <= now + LEAST_STEP_MS / 2);
    try {
      const found = due.length === 0 ? [] : await this.#find(due.map(({ uuid }) => uuid));
      for (const answer of found) {
        const waiting = this.#waiting.get(answer.shipmentUuid);
        if (waiting === undefined) continue;
        this.#forget(waiting);
        waiting.tell(answer);
      }
    } catch {
      // Whatever it is, it is of no weight here.
    }
    this.#isLooking = false;
    const then = performance.now();
    for (const waiting of due) {
      const age = then - waiting.since;
      waiting.nextAt = then + Math.max(LEAST_STEP_MS, age * NEXT_AFTER);
      if (age > GIVE_UP_MS) this.#forget(waiting);
    }
    this.#schedule();
  }
}
