import { setTimeout as delay } from 'node:timers/promises';
import { type BookingDecision, RESOLVE_BOOKING } from '../../../src/contracts/create-shipment.js';
import { decideCancellation } from '../../../src/db/queries/creation/cancelling.js';
import { listNeedingAttention, type NeedingAttention } from '../../../src/db/queries/shipments/attention.js';
import type { Owner } from '../../support/clean-ups.js';
import { eventually } from '../../support/conditions.js';
import type { TestStack } from '../../support/stack.js';
import { ledgersOf, type Parcel } from './ledgers.js';

const ROUND_MS = 2000;
const DECISION_MS = 20_000;
const MOST = 1000;

/** The operator: looks up in the carrier's system what waits for a decision, and decides it. */
export class Person {
  readonly #stack: TestStack;
  #decided = 0;
  #isOff = false;
  #rounds: Promise<void> | undefined;

  constructor(stack: TestStack) {
    this.#stack = stack;
  }

  get summary(): string {
    return `${this.#decided} decisions of a person`;
  }

  /** Decides from time to time, as far as faults allow, until {@link goOff}. */
  start(owner: Owner): this {
    owner.teardown(() => {
      this.#isOff = true;
    });
    this.#rounds = this.#watch();
    return this;
  }

  async goOff(): Promise<void> {
    this.#isOff = true;
    await this.#rounds;
  }

  /** How many wait. */
  async asked(): Promise<number> {
    return (await this.#waiting()).length;
  }

  /** Decides all that waits, and what comes to wait because of it. @throws Error when some still waits in the end */
  async decideAll(limitMs: number): Promise<void> {
    const isDone = async () => {
      await this.#round();
      return (await this.asked()) === 0;
    };
    await eventually(isDone, 'nothing to wait for a person', limitMs);
  }

  async #watch(): Promise<void> {
    while (!this.#isOff) {
      await this.#round().catch(() => undefined);
      await delay(ROUND_MS);
    }
  }

  #waiting(): Promise<NeedingAttention[]> {
    return listNeedingAttention(this.#stack.db, { limit: MOST });
  }

  async #round(): Promise<void> {
    const waiting = await this.#waiting();
    if (waiting.length === 0) return;
    const parcels = await ledgersOf(this.#stack.sandboxes);
    for (const one of waiting) {
      const parcel = parcels.find(({ reference }) => reference === one.uuid);
      // The run of a flagged parcel may have ended, or not wait yet; the next round finds it again.
      await this.#decide(one, parcel).catch(() => undefined);
    }
  }

  async #decide(one: NeedingAttention, parcel: Parcel | undefined): Promise<void> {
    const { db, temporal } = this.#stack;
    const { uuid, state, workflowId, underWayUntil } = one;
    if (state === 'created') {
      const isCancelled = parcel?.status === 'cancelled';
      await decideCancellation(db, { uuid, isCancelled, reason: '' });
    } else {
      // A call that may still be under way could book after the look.
      if (workflowId === null || (parcel === undefined && underWayUntil !== null)) return;
      const decision: BookingDecision =
        parcel === undefined
          ? { action: 'retry', attempt: one.attempt }
          : { action: 'adopt', trackingCode: parcel.code };
      const run = temporal.workflow.getHandle(workflowId);
      await temporal.withDeadline(Date.now() + DECISION_MS, () =>
        run.executeUpdate<string, [BookingDecision]>(RESOLVE_BOOKING, { args: [decision] }),
      );
    }
    this.#decided += 1;
  }
}
