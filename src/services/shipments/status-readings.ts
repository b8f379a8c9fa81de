import type {
  CarrierAccount,
  CarrierAdapter,
  CarrierStatus,
  Outcome,
  ParcelRef,
} from '../../carriers/contract.js';
import { isUnavailable } from '../../db/database.js';
import { recordReading } from '../../db/queries/carriers/readings.js';
import { pollDelaySeconds } from '../../domain/polling.js';
import type { StatusCode } from '../../domain/statuses.js';
import { chunks } from '../../lib/chunks.js';
import { isoAfter, nowIso } from '../../lib/time.js';
import type { App } from '../app.js';

export type ReadingApp = Pick<App, 'db' | 'carriers' | 'accounts' | 'wake'>;

/** A shipment to ask about; `id` is its row's. */
interface AskedParcel {
  id: number;
  uuid: string;
  trackingCode: string;
  carrierReference: string | null;
}

/** Runs a call when its turn comes. */
export type InTurn = <T>(call: () => Promise<T>) => Promise<T>;

/** Parcels of one license. */
interface ReadingRequest {
  provider: string;
  licenseId: number;
  parcels: readonly AskedParcel[];
  signal: AbortSignal;
  /** Parallel calls; 1 by default. */
  lanes?: number;
  call?: InTurn;
}

/** Failures that the license's next call would meet too. */
type Stop = Extract<Outcome<never>, { kind: 'unavailable' | 'throttled' | 'unauthorized' | 'unknown' }>;

/** A carrier's answers. */
export type ReadingResult = Readonly<Omit<ReadingPass, 'ask'>>;

/**
 * Asks a carrier for statuses in chunks of its size, and records each shipment in its own transaction. Stops at
 * the first call that shows that the carrier is unavailable for this license.
 */
export async function readStatuses(app: ReadingApp, request: ReadingRequest): Promise<ReadingResult> {
  const adapter = app.carriers(request.provider);
  const pass = new ReadingPass(app, request, adapter);
  if (adapter.status === undefined) return pass;
  const account = await app.accounts(request.licenseId, request.provider);
  const waiting = [...chunks(request.parcels, adapter.status.maxBulk)];
  const lane = async () => {
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
      await pass.ask(chunk, account);
    }
  };
  await Promise.all(Array.from({ length: request.lanes ?? 1 }, lane));
  return pass;
}

class ReadingPass {
  /** Ids of shipments with an answer. */
  readonly answered = new Set<number>();
  /** Ids without one. */
  readonly failed = new Set<number>();
  /** Those of `failed` that the carrier does not know although it answered. */
  readonly unknownToCarrier = new Set<number>();
  /** Number of new statuses. */
  changed = 0;
  /** Text of the last failed call. */
  failure: string | null = null;
  /** Why the rest was not asked. */
  stoppedBy: Stop | null = null;
  /** An error in recording an answer or in the adapter; its parcels are among `failed`. */
  trouble: Error | null = null;
  #isDatabaseAway = false;
  readonly #app: ReadingApp;
  readonly #request: ReadingRequest;
  readonly #adapter: CarrierAdapter;

  constructor(app: ReadingApp, request: ReadingRequest, adapter: CarrierAdapter) {
    this.#app = app;
    this.#request = request;
    this.#adapter = adapter;
  }

  /** @throws the database's error, which ends the pass */
  async ask(chunk: readonly AskedParcel[], account: CarrierAccount): Promise<void> {
    try {
      await this.#ask(chunk, account);
    } catch (error) {
      this.#isDatabaseAway ||= isUnavailable(error);
      if (this.#isDatabaseAway) throw error;
      this.trouble = error instanceof Error ? error : new Error('unknown');
      for (const { id } of chunk) if (!this.answered.has(id)) this.failed.add(id);
    }
  }

  async #ask(chunk: readonly AskedParcel[], account: CarrierAccount): Promise<void> {
    const { signal, call = (work) => work() } = this.#request;
    let askedAt = nowIso();
    const outcome = await call(async () => {
      if (this.stoppedBy !== null || this.#isDatabaseAway || signal.aborted) return undefined;
      askedAt = nowIso();
      return await this.#adapter.status?.fetch(chunk.map(toRef), { account, signal });
    });
    if (outcome === undefined) return;
    if (outcome.kind === 'accepted') return await this.#take(chunk, outcome.value, askedAt);
    this.failure = outcome.text;
    // Our own abort says nothing about the carrier.
    if (signal.aborted) return;
    const isRefused = outcome.kind === 'rejected' || outcome.kind === 'duplicate';
    for (const { id } of chunk) {
      this.failed.add(id);
      // Of several parcels, one may have caused the refusal.
      if (isRefused && chunk.length === 1) this.unknownToCarrier.add(id);
    }
    if (!isRefused) this.stoppedBy ??= outcome;
  }

  async #take(
    chunk: readonly AskedParcel[],
    statuses: readonly CarrierStatus[],
    askedAt: string,
  ): Promise<void> {
    for (const parcel of chunk) {
      const status = statuses.find(({ trackingCode }) => trackingCode === parcel.trackingCode);
      if (status === undefined) {
        this.failed.add(parcel.id);
        this.unknownToCarrier.add(parcel.id);
        continue;
      }
      const reading = { shipmentId: parcel.id, checkedAt: askedAt, events: status.events, nextPollAt };
      const { changed, wake } = await this.#app.db.transaction((tx) => recordReading(tx, reading));
      this.#app.wake(wake);
      if (changed) this.changed += 1;
      this.answered.add(parcel.id);
    }
  }
}

function nextPollAt(status: StatusCode): string | null {
  const seconds = pollDelaySeconds(status);
  return seconds === null ? null : isoAfter(seconds);
}

function toRef({ uuid: reference, trackingCode, carrierReference }: AskedParcel): ParcelRef {
  return { reference, trackingCode, carrierReference };
}
