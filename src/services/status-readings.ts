import type { CarrierAccount, CarrierAdapter, CarrierStatus, ParcelRef } from '../carriers/contract.js';
import type { WakeTarget } from '../contracts/wake.js';
import type { Database } from '../db/database.js';
import { recordReading } from '../db/queries/polling.js';
import { pollDelaySeconds } from '../domain/polling.js';
import type { StatusCode } from '../domain/statuses.js';
import { isoAfter, nowIso } from '../lib/time.js';

interface Deps {
  db: Database;
  carriers(provider: string): CarrierAdapter;
  accounts(licenseId: number, provider: string): Promise<CarrierAccount>;
  /** Starts what delivers the events that were recorded; returns at once. */
  wake(targets: readonly WakeTarget[]): void;
}

/** A shipment to ask about: `id` is the row's. */
export interface AskedParcel {
  id: number;
  uuid: string;
  trackingCode: string;
  carrierReference: string | null;
}

/** Parcels of one licence to ask its carrier about. */
export interface ReadingRequest {
  provider: string;
  licenseId: number;
  parcels: readonly AskedParcel[];
  signal: AbortSignal;
}

/**
 * `answered`: ids of the shipments of which the carrier spoke; `changed`: how many have a new status; `failure`: why
 * a call brought nothing, in the carrier's words where it has some, null when none failed.
 */
export interface ReadingResult {
  answered: ReadonlySet<number>;
  changed: number;
  failure: string | null;
}

/** Asks a carrier for statuses, as many at a time as it takes, and records each shipment's in its own transaction. */
export async function readStatuses(deps: Deps, request: ReadingRequest): Promise<ReadingResult> {
  const answered = new Set<number>();
  let changed = 0;
  let failure: string | null = null;
  const adapter = deps.carriers(request.provider);
  if (adapter.status === undefined) return { answered, changed, failure };
  const account = await deps.accounts(request.licenseId, request.provider);
  for (const chunk of chunks(request.parcels, adapter.status.maxBulk)) {
    const outcome = await adapter.status.fetch(chunk.map(toRef), { account, signal: request.signal });
    if (outcome.kind !== 'accepted') {
      failure = outcome.text;
      continue;
    }
    for (const parcel of chunk) {
      const status = outcome.value.find(({ trackingCode }) => trackingCode === parcel.trackingCode);
      if (status === undefined) continue;
      answered.add(parcel.id);
      if (await record(deps, parcel.id, status)) changed += 1;
    }
  }
  return { answered, changed, failure };
}

async function record(deps: Deps, shipmentId: number, status: CarrierStatus): Promise<boolean> {
  const reading = { shipmentId, checkedAt: nowIso(), events: status.events, nextPollAt };
  const { changed, wake } = await deps.db.transaction((tx) => recordReading(tx, reading));
  deps.wake(wake);
  return changed;
}

function nextPollAt(status: StatusCode): string | null {
  const seconds = pollDelaySeconds(status);
  return seconds === null ? null : isoAfter(seconds);
}

function toRef(parcel: AskedParcel): ParcelRef {
  return {
    reference: parcel.uuid,
    trackingCode: parcel.trackingCode,
    carrierReference: parcel.carrierReference,
  };
}

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
