import { cancellationSignal, log } from '@temporalio/activity';
import type { InboundRound } from '../src/contracts/wake.js';
import { isUnavailable } from '../src/db/database.js';
import {
  type InboundParcel,
  listDueParcels,
  postponeInboundEvents,
} from '../src/db/queries/carriers/inbound-events.js';
import { applyInboundParcel, type InboundResult } from '../src/db/queries/carriers/inbound-parcels.js';
import { INBOUND, nextDueInMs } from '../src/db/queries/leased-queue.js';
import { resumeToDecide } from '../src/services/creation/abandoned-creations.js';
import { decideBooking, decideSoon } from '../src/services/creation/booking-decisions.js';
import { type RestoringApp, restoreNamed } from '../src/services/creation/restoring.js';
import { withHeartbeat } from './heartbeat.js';

const ROUND_MS = 20_000;

type InboundApp = RestoringApp;

export function createInboundActivities(app: InboundApp) {
  return {
    /**
     * Applies a license's due events, each parcel in its own transaction. What a dead worker did not commit is
     * applied by the next round.
     */
    async applyDueEvents({ licenseId }: { licenseId: number }): Promise<InboundRound> {
      return await withHeartbeat(async () => {
        const counts = { applied: 0, ignored: 0 };
        const until = Date.now() + ROUND_MS;
        const stopped = cancellationSignal();
        for (const parcel of await listDueParcels(app.db, {
          licenseId,
          limit: 200,
        })) {
          if (stopped.aborted || Date.now() >= until) break;
          const result = await applyParcel(app, { licenseId, parcel });
          if (result.kind === 'applied') counts.applied += result.count;
          if (result.kind === 'ignored') counts.ignored += result.count;
          if (result.kind === 'waits') counts.ignored += result.ignored;
        }
        return { counts, nextDueInMs: await nextDueInMs(app.db, INBOUND, licenseId), parcel: null };
      });
    },
  };
}

/** A failing parcel does not stop the others and is retried later. */
async function applyParcel(app: InboundApp, parcel: InboundParcel): Promise<InboundResult> {
  try {
    const result = await applyOrAdopt(app, parcel);
    if (result.kind === 'applied') app.wake(result.wake);
    if (result.kind === 'ignored') {
      const { reason, shipmentId } = result;
      log.warn('a carrier tells of a parcel that is not the one of its shipment', { reason, shipmentId });
    }
    return result;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.error('a carrier event could not be applied', {
      licenseId: parcel.licenseId,
      error: error instanceof Error ? error.name : 'unknown',
    });
    return { kind: 'waits', ignored: await postponeInboundEvents(app.db, { ...parcel, reason: 'failed' }) };
  }
}

async function applyOrAdopt(app: InboundApp, parcel: InboundParcel): Promise<InboundResult> {
  const first = await applyInboundParcel(app.db, parcel);
  if (first.kind === 'waits' && first.reference !== undefined) {
    // The carrier has a parcel of ours that the database has lost.
    const isRestored = await restoreNamed(app, { uuid: first.reference });
    return isRestored ? await applyInboundParcel(app.db, parcel) : first;
  }
  if (first.kind !== 'unbooked') return first;
  const second = (await adopt(app, first)) ? await applyInboundParcel(app.db, parcel) : first;
  if (second.kind !== 'unbooked') return second;
  return {
    kind: 'waits',
    ignored: await postponeInboundEvents(app.db, { ...parcel, reason: 'not_booked_yet' }),
  };
}

/** Sends the operator's decision on the carrier's proof. True when the creation accepted and recorded it. */
async function adopt(
  { db, temporal }: InboundApp,
  { workflowId, shipmentUuid, trackingCode }: Extract<InboundResult, { kind: 'unbooked' }>,
): Promise<boolean> {
  try {
    const proof = {
      workflowId,
      decision: { action: 'adopt', trackingCode },
      // A repeated round gets the first answer instead of deciding twice.
      updateId: `inbound/${shipmentUuid}/${trackingCode}`,
    } as const;
    const outcome = await decideBooking(temporal, proof);
    if (outcome.kind !== 'gone') return outcome.kind === 'taken';
    // The run was ended from outside.
    if (!(await resumeToDecide({ db, temporal }, { uuid: shipmentUuid, workflowId }))) return false;
    return (await decideSoon(temporal, proof)).kind === 'taken';
  } catch (error) {
    // The shipment is not booked yet, so its events are kept longer than unrecordable ones.
    const name = error instanceof Error ? error.name : 'unknown';
    log.warn('a creation could not be told of its parcel', { workflowId, error: name });
    return false;
  }
}
