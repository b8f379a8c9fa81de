import { isDuplicateKey } from '../../db/database.js';
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

/** Restores the shipment of a key whose run has closed, where the database has lost it or its end; false where not. */
export async function restoreOfKey(app: RestoringApp, workflowId: string): Promise<boolean> {
  const { db, temporal } = app;
  const latest = await promptly(temporal, () => findLatestRun(temporal, workflowId));
  if (latest === null) return false;
  const { shipmentUuid } = latest;
  const state = shipmentUuid === null ? null : await findState(db, shipmentUuid);
  if (state !== null && state !== 'reserved') return false;
  const past = await promptly(temporal, async () => {
    const own = await readCreation(temporal, latest);
    if (own !== null) return own;
    // It refused, or repeated what an earlier run had made.
    if (shipmentUuid !== null) return await findCreationOf(temporal, { uuid: shipmentUuid });
    return await findCreationOfId(temporal, workflowId);
  });
  return await restore(app, past);
}

/**
 * Restores a shipment that a caller names and the database does not know. Looks at the engine for uuids only that are
 * ours by their form and young enough to be remembered. False where there is nothing.
 */
export async function restoreNamed(
  app: RestoringApp,
  { accountId, uuid }: { accountId?: number; uuid: string },
): Promise<boolean> {
  if (!isRemembered(uuid) || (await findState(app.db, uuid)) !== null) return false;
  const { temporal, lostLooks } = app;
  const past = await lostLooks.use(() =>
    promptly(temporal, () => findCreationOf(temporal, { uuid, accountId })),
  );
  if (past?.shipment.uuid !== uuid) return false;
  return (await restore(app, past)) || (await findState(app.db, uuid)) !== null;
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

/** What the shipment was when its run ended, or is while it goes on; null where nothing is left of it. */
async function writtenAs(
  { temporal, carriers }: RestoringApp,
  { outcome, isOpen, call, creation, shipment }: PastCreation,
): Promise<LostShipment['as'] | null> {
  const parcel = call?.parcel ?? null;
  if (outcome.kind === 'refused') return null;
  if (isOpen) return { kind: 'open', reason: null };
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
