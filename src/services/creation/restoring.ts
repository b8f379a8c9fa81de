import { isDuplicateKey } from '../../db/database.js';
import { releaseShipment } from '../../db/queries/creation/refusals.js';
import { findState, type LostShipment, restoreShipment } from '../../db/queries/creation/restoring.js';
import { pollDelaySeconds } from '../../domain/polling.js';
import { isUuid, timeOfUuidV7 } from '../../lib/ids.js';
import { LIMITS } from '../../lib/limits/values.js';
import { restoredShipments } from '../../lib/metrics.js';
import { DAY_MS, isoAfter } from '../../lib/time.js';
import { promptly } from '../../temporal/client.js';
import {
  type CreationRun,
  findCancellation,
  findCreationOf,
  findCreationOfId,
  findLatestRun,
  type PastCreation,
  readCreation,
} from '../../temporal/past-creations.js';
import type { App } from '../app.js';

/**
 * The engine is the second memory: what the database has lost is written again from the run that made it. It is asked
 * only where the database has nothing.
 */
export type RestoringApp = Pick<App, 'db' | 'temporal' | 'carriers' | 'wake' | 'onRestored' | 'lostLooks'>;

const LOST = 'The database has lost what became of this booking, and its run has ended: look at the carrier.';

/** The reason of a wait whose rows are restored: the first one is known to its run alone. */
const WAITS = 'The database had lost this shipment, which waits for a decision: look at the carrier.';

/** Restores the shipment of a key whose run has closed, where the database has lost it or its end; false where not. */
export async function restoreOfKey(app: RestoringApp, workflowId: string): Promise<boolean> {
  return await restore(app, await findOfKey(app, workflowId));
}

async function findOfKey({ db, temporal }: RestoringApp, workflowId: string): Promise<PastCreation | null> {
  const latest = await promptly(temporal, () => findLatestRun(temporal, workflowId));
  if (latest === null) return null;
  const { shipmentUuid } = latest;
  const state = shipmentUuid === null ? null : await findState(db, shipmentUuid);
  if (state !== null && state !== 'reserved') return null;
  return await promptly(temporal, async () => {
    const own = await readCreation(temporal, latest);
    if (own !== null) return own;
    // It refused, or repeated what an earlier run had made.
    if (shipmentUuid !== null) return await findCreationOf(temporal, { uuid: shipmentUuid });
    return await findCreationOfId(temporal, workflowId);
  });
}

/**
 * Restores a shipment that a caller names and the database does not know. Looks at the engine for uuids only that are
 * ours by their form and young enough to be remembered. False where there is nothing.
 */
export async function restoreNamed(app: RestoringApp, named: NamedShipment): Promise<boolean> {
  const past = await findNamed(app, named);
  if (past === null) return false;
  return (await restore(app, past)) || (await findState(app.db, named.uuid)) !== null;
}

interface NamedShipment {
  accountId?: number;
  uuid: string;
}

async function findNamed(
  app: RestoringApp,
  { accountId, uuid }: NamedShipment,
): Promise<PastCreation | null> {
  if (!isRemembered(uuid) || (await findState(app.db, uuid)) !== null) return null;
  const { temporal, lostLooks } = app;
  const past = await lostLooks.use(() =>
    promptly(temporal, () => findCreationOf(temporal, { uuid, accountId })),
  );
  return past?.shipment.uuid === uuid ? past : null;
}

/** A shipment that a run names, and that run's workflow id. */
interface ShipmentOfRun {
  uuid: string;
  workflowId: string;
}

/** Whether {@link restoreLost} would write something. Reads only. */
export async function isLost(app: RestoringApp, { uuid, workflowId }: ShipmentOfRun): Promise<boolean> {
  const state = await findState(app.db, uuid);
  if (state !== null && state !== 'reserved') return false;
  const past = await (state === null ? findNamed(app, { uuid }) : findOfKey(app, workflowId));
  if (past === null || past.shipment.uuid !== uuid) return false;
  const as = await writtenAs(app, past);
  const isRestored =
    state === null ? as !== null : as?.kind === 'recorded' || past.outcome.kind === 'refused';
  if (!isRestored) return false;
  // It may have been written meanwhile.
  return (await findState(app.db, uuid)) === state;
}

/** Restores a shipment, or its end, from the run that made it; false where nothing was lost. */
export async function restoreLost(app: RestoringApp, { uuid, workflowId }: ShipmentOfRun): Promise<boolean> {
  const isHalf = (await findState(app.db, uuid)) === 'reserved';
  return await (isHalf ? restoreOfKey(app, workflowId) : restoreNamed(app, { uuid }));
}

function isRemembered(uuid: string): boolean {
  if (!isUuid(uuid) || uuid.charAt(14) !== '7') return false;
  const ageMs = Date.now() - timeOfUuidV7(uuid).getTime();
  return ageMs > -LIMITS.engine.lostAheadMs && ageMs < LIMITS.engine.lostLookDays * DAY_MS;
}

/**
 * Writes the reservation of a run under way again, where the database has lost it. `call`: the newest that went
 * out, where the caller knows it better than the run. True where the database had lost it.
 */
export async function restoreUnderWay(
  app: RestoringApp,
  run: CreationRun & { uuid: string },
  call?: LostShipment['call'],
): Promise<boolean> {
  if ((await findState(app.db, run.uuid)) !== null) return false;
  const past = await promptly(app.temporal, () => readCreation(app.temporal, run));
  return await restore(
    app,
    past === null ? null : { ...past, isOpen: true, ...(call === undefined ? {} : { call }) },
  );
}

/** False where nothing was written. */
async function restore(app: RestoringApp, past: PastCreation | null): Promise<boolean> {
  if (past?.outcome.kind === 'refused') return await refuseAgain(app, past.shipment, past.outcome);
  const as = past === null ? null : await writtenAs(app, past);
  if (past === null || as === null) return false;
  const { creation, order, shipment, workflowId, call } = past;
  const { idempotency } = creation;
  const restored = await restoreShipment(app.db, {
    creation: { ...creation, idempotency: { ...idempotency, keepForSeconds: secondsLeft(past) } },
    order,
    identity: { ...shipment, workflowId },
    call,
    as,
  }).catch((error: unknown) => {
    // Another process was sooner.
    if (isDuplicateKey(error)) return null;
    throw error;
  });
  if (restored === null) return true;
  if (restored.kind === 'there') return false;
  app.wake(restored.wake);
  const { accountId, licenseId, carrier } = creation;
  const { kind: outcome } = restored;
  restoredShipments.inc({ outcome });
  const { provider } = carrier;
  app.onRestored({ outcome, shipmentId: shipment.uuid, workflowId, accountId, licenseId, provider });
  return true;
}

/** Ends a reservation of which the database has lost that it was refused. */
async function refuseAgain(
  { db, wake }: RestoringApp,
  { uuid }: PastCreation['shipment'],
  { code, reason }: Extract<PastCreation['outcome'], { kind: 'refused' }>,
): Promise<boolean> {
  if ((await findState(db, uuid)) !== 'reserved') return false;
  const released = await releaseShipment(db, { uuid, code, reason });
  wake(released.wake);
  return released.recorded === null;
}

/** The shipment as it was when its run ended, or is while it goes on; null where nothing is left of it. */
async function writtenAs(
  { temporal, carriers }: RestoringApp,
  { outcome, isOpen, asksPerson, call, creation, shipment }: PastCreation,
): Promise<LostShipment['as'] | null> {
  const parcel = call?.parcel ?? null;
  if (outcome.kind === 'refused') return null;
  if (isOpen) return { kind: 'open', reason: asksPerson ? WAITS : null };
  if (call === null) return null;
  if (outcome.kind === 'unclaimed') return { kind: 'unclaimed' };
  if (outcome.kind === 'unknown' || parcel === null) return { kind: 'open', reason: LOST };
  const isPolled = carriers(creation.carrier.provider).status !== undefined;
  return {
    kind: 'recorded',
    answer: outcome.answer,
    parcel,
    nextPollAt: isPolled ? isoAfter(pollDelaySeconds('created') ?? 0) : null,
    cancelled: await promptly(temporal, () => findCancellation(temporal, shipment.uuid)),
  };
}

/** The key's answer ends when it would have. A key of a run that goes on is as new. */
function secondsLeft({ creation, endedAt }: PastCreation): number {
  const { keepForSeconds } = creation.idempotency;
  if (endedAt === null) return keepForSeconds;
  return Math.max(0, keepForSeconds - Math.floor((Date.now() - Date.parse(endedAt)) / 1000));
}
