import type { StoredAnswer } from '../../contracts/create-shipment.js';

/** The first look comes after this share of the carrier's recent answer time. */
const FIRST_AT = 0.8;
/** Interval between looks as a share of the elapsed time, so that the delay stays relatively small. */
const NEXT_AFTER = 1 / 12;
const LEAST_STEP_MS = 3;
/** Older creations take their answer from the run. */
const GIVE_UP_MS = 1000;
/** Weight of a new time in the average. */
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
 * Finds the answers of creations as soon as they are recorded, one or two engine steps before their runs end.
 * One query serves all waiting creations, timed by their carriers' usual answer times. Only a shortcut: a
 * creation that is missed takes its answer from the run.
 */
export class RecordedAnswers {
  readonly #find: (shipmentUuids: readonly string[]) => Promise<StoredAnswer[]>;
  readonly #waiting = new Map<string, Waiting>();
  /** Recent answer time by carrier, in ms. */
  readonly #usual = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #isLooking = false;

  /** `find`: the recorded answers of these shipments. */
  constructor(find: (shipmentUuids: readonly string[]) => Promise<StoredAnswer[]>) {
    this.#find = find;
  }

  /** Resolves with the answer of a creation that starts now, or never. `signal`: the caller stopped waiting. */
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

  /** Counts the time of every answer, however it arrived. */
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
      // Errors do not matter here: the run has the answer.
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
