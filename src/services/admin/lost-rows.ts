import { recordCancellation } from '../../db/queries/creation/cancelling.js';
import { findKnownBatches, findKnownShipments } from '../../db/queries/known-rows.js';
import { isFinal } from '../../domain/statuses.js';
import { chunks } from '../../lib/chunks.js';
import { DAY_MS, nowIso } from '../../lib/time.js';
import { findCancellation } from '../../temporal/past-creations.js';
import { listRemembered, type RememberedRun } from '../../temporal/remembered-runs.js';
import type { App } from '../app.js';
import { isLost, type RestoringApp, restoreLost } from '../creation/restoring.js';

/** Something that one store has and the other lacks. */
export interface Difference {
  /** A shipment's uuid, or the id of an export or a Schedule. */
  reference: string;
  /** False where the stores do not hold what it takes, or another process was sooner. */
  mend(): Promise<boolean>;
}

/** Each costs calls to the engine. */
export const AT_ONCE = 20;

type NamingRun = RememberedRun & { shipmentUuid: string };

/** Shipments, or their ends, that the runs of creations remember and the database does not. */
export async function* lostShipments(app: RestoringApp): AsyncIterable<Difference[]> {
  const seen = new Set<string>();
  for await (const runs of listRemembered(app.temporal, 'createShipment')) {
    const naming = runs.filter(isNaming);
    const known = await findKnownShipments(app.db, naming.map(uuidOf));
    const doubtful = naming.filter(({ shipmentUuid, isOpen, bookingState }) => {
      const row = known.get(shipmentUuid);
      const isWhole = row === undefined ? bookingState === 'refused' : row.state !== 'reserved' || isOpen;
      if (isWhole || seen.has(shipmentUuid)) return false;
      seen.add(shipmentUuid);
      return true;
    });
    for (const some of chunks(doubtful, AT_ONCE)) {
      const lost = await Promise.all(some.map((run) => isLost(app, named(run))));
      yield some
        .filter((_, index) => lost[index])
        .map((run) => ({ reference: run.shipmentUuid, mend: () => restoreLost(app, named(run)) }));
    }
  }
}

/** Cancellations that the carrier has taken, and the database has lost. */
export async function* lostCancellations(app: RestoringApp): AsyncIterable<Difference[]> {
  for await (const runs of listRemembered(app.temporal, 'cancelShipment')) {
    const done = runs.filter(({ bookingState }) => bookingState === 'cancelled').filter(isNaming);
    const known = await findKnownShipments(app.db, done.map(uuidOf));
    const lost = done.map(uuidOf).filter((uuid) => {
      const row = known.get(uuid);
      return row?.state === 'created' && !isFinal(row.status);
    });
    for (const some of chunks(lost, AT_ONCE)) {
      yield some.map((reference) => ({ reference, mend: () => cancelAgain(app, reference) }));
    }
  }
}

async function cancelAgain({ db, temporal, wake }: RestoringApp, uuid: string): Promise<boolean> {
  const found = await findCancellation(temporal, uuid);
  if (found === null) return false;
  const words = { carrierText: found.text.trim(), reason: found.reason?.trim() ?? '' };
  const recorded = await recordCancellation(db, { uuid, ...words, byStore: false, at: nowIso() });
  wake(recorded.wake);
  return recorded.cancelled;
}

/** Batches whose run is remembered and whose items are gone: nobody but their callers has these. */
export async function listLostBatches({
  db,
  temporal,
  config,
}: Pick<App<'retention'>, 'db' | 'temporal' | 'config'>): Promise<RememberedRun[]> {
  const lost: RememberedRun[] = [];
  const keptSince = Date.now() - config.retention.batchDays * DAY_MS;
  for await (const runs of listRemembered(temporal, 'runBatch')) {
    const young = runs.filter(({ startedAt }) => Date.parse(startedAt) > keptSince);
    const known = await findKnownBatches(
      db,
      young.map(({ batchUuid }) => batchUuid ?? ''),
    );
    lost.push(...young.filter(({ batchUuid }) => batchUuid !== null && !known.has(batchUuid)));
  }
  return lost;
}

function isNaming(run: RememberedRun): run is NamingRun {
  return run.shipmentUuid !== null;
}

function named({ shipmentUuid: uuid, workflowId }: NamingRun) {
  return { uuid, workflowId };
}

function uuidOf({ shipmentUuid }: NamingRun): string {
  return shipmentUuid;
}
