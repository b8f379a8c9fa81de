import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type {
  Calls,
  CodeQuestion,
  Creation,
  RecordInput,
  Reservation,
  StoredAnswer,
} from '../src/contracts/create-shipment.js';
import { type Database, isDuplicateKey, isUnavailable } from '../src/db/database.js';
import { findCalls } from '../src/db/queries/creation/attempts.js';
import { flagCancellation, recordCancellation } from '../src/db/queries/creation/cancelling.js';
import { type Issued, issueShipment, reserveShipment } from '../src/db/queries/creation/creation.js';
import { writeOrder } from '../src/db/queries/creation/order-snapshots.js';
import { findRecordedCode, markNeedsAttention } from '../src/db/queries/creation/recording.js';
import { type Refusal, releaseShipment } from '../src/db/queries/creation/refusals.js';
import { findShipment, getShipment } from '../src/db/queries/shipments/shipments.js';
import { type OrderSnapshot, parcelOfCode, type ShipmentRecord } from '../src/domain/shipment.js';
import { newShortTrackingCode, uuidV7 } from '../src/lib/ids.js';
import { nowIso } from '../src/lib/time.js';
import { restoreNamed } from '../src/services/creation/restoring.js';
import { restoreOwn } from './own-rows.js';
import {
  answerOf,
  firstPollAt,
  type RecordApp,
  recordedShipment,
  recordOrAsk,
} from './shipment-recording.js';

/** MySQL steps of a shipment's workflows: short, repeatable transactions. */
export function createShipmentRecordActivities(app: RecordApp) {
  const { db } = app;
  return {
    /** Reserves the key and inserts order and shipment, or finds an earlier run's. */
    reserve: (creation: Creation, order: OrderSnapshot): Promise<Reservation> =>
      reserve(app, creation, order),

    /** Publishes the booked parcel and stores the key's answer. */
    async record(input: RecordInput): Promise<StoredAnswer | CodeQuestion> {
      return await recordOrAsk(app, input);
    },

    /** Stores the accepted creation's snapshot of an existing order. */
    async keepOrder({ uuid, order }: { uuid: string; order: OrderSnapshot }): Promise<void> {
      await writeOrder(db, uuid, order);
    },

    /**
     * Frees the key of a refused reservation and notifies the caller who was answered 202. If a try has
     * recorded a parcel meanwhile, it does neither and returns the tracking code; else null.
     */
    async release(args: { uuid: string } & Refusal): Promise<string | null> {
      const { recorded, wake } = await releaseShipment(db, args);
      app.wake(wake);
      return recorded;
    },

    /** Marks that an operator must decide about the calls that it returns. */
    async flagNeedsAttention(args: { uuid: string; reason: string }): Promise<Calls> {
      await restoreOwn(app, args.uuid);
      await markNeedsAttention(db, args);
      return await findCalls(db, args.uuid);
    },

    /**
     * The calls so far. `trackingCode`: what one of them recorded after its try counted as dead; null if none.
     */
    async findRecorded(args: { uuid: string }): Promise<Calls & { trackingCode: string | null }> {
      await restoreOwn(app, args.uuid);
      const calls = await findCalls(db, args.uuid);
      return { ...calls, trackingCode: await findRecordedCode(db, args.uuid) };
    },

    /**
     * Records a cancellation with the carrier's text and the caller's reason; false when another final status
     * came first.
     */
    recordCancelled: (args: Cancelled): Promise<boolean> => recordCancelled(app, args),

    /** Shows a person a parcel of which nobody knows whether the carrier cancelled it. `text`: the carrier's. */
    async flagUnsure(args: { uuid: string; text: string }): Promise<void> {
      await flagCancellation(db, args);
    },
  };
}

interface Cancelled {
  uuid: string;
  text: string;
  reason: string | null;
  byStore?: true;
}

async function recordCancelled(app: RecordApp, args: Cancelled): Promise<boolean> {
  const { uuid, text, reason, byStore = false } = args;
  const cancel = async () => {
    const { cancelled, wake } = await recordCancellation(app.db, {
      uuid,
      carrierText: text.trim(),
      reason: reason?.trim() ?? '',
      byStore,
      at: nowIso(),
    });
    app.wake(wake);
    return cancelled;
  };
  return (await cancel()) || ((await restoreNamed(app, { uuid })) && (await cancel()));
}

async function reserve(app: RecordApp, creation: Creation, order: OrderSnapshot): Promise<Reservation> {
  const { db } = app;
  const { shipmentUuid } = creation;
  const issue = issuing(app, creation);
  const reserveAs = async (uuid: string) => {
    const fresh = {
      uuid,
      shortTrackingCode: newShortTrackingCode(),
      workflowId: activityInfo().workflowExecution?.workflowId ?? '',
      createdAt: nowIso(),
    };
    if (issue === null) return await reserveShipment(db, { creation, order }, fresh);
    const { reservation, wake } = await issueShipment(db, { creation, order }, fresh, issue);
    app.wake(wake);
    return reservation;
  };
  try {
    const reservation = await reserveAs(shipmentUuid).catch((error: unknown) => {
      if (isDuplicateKey(error)) return null;
      throw error;
    });
    const isOwn = reservation?.kind === 'duplicate_order' && reservation.shipmentUuid === shipmentUuid;
    if (
      issue !== null &&
      reservation?.kind === 'finished' &&
      reservation.answer.shipmentUuid === shipmentUuid
    ) {
      return await issuedBefore(db, reservation.answer);
    }
    if (reservation !== null && !isOwn) return reservation;
    // Rows of a run that was reset, restarted or restored; a refusal leaves none that count.
    return (await madeBefore(db, creation, shipmentUuid)) ?? (await reserveAs(uuidV7()));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw ApplicationFailure.nonRetryable('The reservation could not be written', 'ReservationFailed', {
      reason: error instanceof Error ? error.name : 'unknown',
    });
  }
}

/**
 * Makes the record of a shipment that nobody is called for; null where the carrier is called, or the request may be
 * refused: a pickup point without its address.
 */
function issuing({ carriers }: RecordApp, creation: Creation): ((reserved: ShipmentRecord) => Issued) | null {
  const { carrier, details, idempotency } = creation;
  const adapter = carriers(carrier.provider);
  const { issue } = adapter;
  if (issue === undefined || (details.pickupPointId !== null && details.pickupAddress === null)) return null;
  return (reserved) => {
    const parcel = issue(reserved.uuid);
    const shipment = recordedShipment({ shipment: reserved, parcel }, reserved.createdAt);
    return {
      shipment,
      parcel,
      answer: answerOf(idempotency, shipment),
      nextPollAt: firstPollAt(adapter),
      byStore: idempotency.api === 'v1',
    };
  };
}

/** The parcel that an earlier try of the same run has issued: the answer was lost on the way to the engine. */
async function issuedBefore(db: Database, answer: StoredAnswer): Promise<Reservation> {
  const shipment = await getShipment(db, answer.shipmentUuid);
  return { kind: 'issued', shipment, parcel: parcelOfCode(shipment.trackingCode ?? ''), answer };
}

/** The state of the creation's shipment, whatever happened to its key; null for a refused one. */
async function madeBefore(
  db: Database,
  { accountId, idempotency }: Creation,
  uuid: string,
): Promise<Reservation | null> {
  const shipment = await findShipment(db, { accountId, uuid });
  if (shipment === null) return null;
  if (shipment.state === 'reserved') return { kind: 'reserved', shipment, orderExisted: true };
  return { kind: 'finished', answer: answerOf(idempotency, shipment) };
}
