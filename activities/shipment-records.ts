import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import { createdAnswer } from '../src/api/created-answer.js';
import type { CarrierAdapter } from '../src/carriers/contract.js';
import type {
  Calls,
  CodeQuestion,
  Creation,
  IdempotencyRef,
  RecordInput,
  Reservation,
  StoredAnswer,
} from '../src/contracts/create-shipment.js';
import { type Database, isDuplicateKey, isUnavailable } from '../src/db/database.js';
import { findCalls, latestAttempt } from '../src/db/queries/creation/attempts.js';
import { flagCancellation, recordCancellation } from '../src/db/queries/creation/cancelling.js';
import { type Issued, issueShipment, reserveShipment } from '../src/db/queries/creation/creation.js';
import { writeOrder } from '../src/db/queries/creation/order-snapshots.js';
import {
  CodeTaken,
  findRecordedCode,
  markNeedsAttention,
  RowsLost,
  recordBooking,
  UnclaimedParcel,
} from '../src/db/queries/creation/recording.js';
import { type Refusal, releaseShipment } from '../src/db/queries/creation/refusals.js';
import { findShipment, getShipment } from '../src/db/queries/shipments/shipments.js';
import { pollDelaySeconds } from '../src/domain/polling.js';
import { type OrderSnapshot, parcelOfCode, type ShipmentRecord } from '../src/domain/shipment.js';
import { statusName } from '../src/domain/statuses.js';
import { newShortTrackingCode, uuidV7 } from '../src/lib/ids.js';
import { isoAfter, nowIso } from '../src/lib/time.js';
import type { App } from '../src/services/app.js';
import { restoreNamed } from '../src/services/creation/restoring.js';
import { restoreOwn } from './own-rows.js';
import { readableAccount } from './readable-account.js';

const TRIES_UNSEEN = 5;

export type RecordApp = Pick<
  App,
  'db' | 'temporal' | 'carriers' | 'accounts' | 'wake' | 'onRestored' | 'lostLooks'
>;

/** The reason of a wait whose rows were restored: the first one is known to its run alone. */
const FORGOTTEN = 'The database had lost this shipment, which waits for a decision: look at the carrier.';

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
      if (await restoreOwn(app, args.uuid)) await markNeedsAttention(db, { ...args, reason: FORGOTTEN });
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

async function recordOrAsk(app: RecordApp, input: RecordInput): Promise<StoredAnswer | CodeQuestion> {
  try {
    return await recordParcel(app, input);
  } catch (error) {
    if (error instanceof CodeTaken) return { question: error.message };
    if (error instanceof UnclaimedParcel) {
      throw ApplicationFailure.nonRetryable('The reservation was given up before', 'UnclaimedParcel');
    }
    if (!isUnavailable(error) && activityInfo().attempt >= TRIES_UNSEEN) await showUnrecorded(app.db, input);
    throw error;
  }
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

/** What an earlier try of the same run has issued: its answer was lost on the way to the engine. */
async function issuedBefore(db: Database, answer: StoredAnswer): Promise<Reservation> {
  const shipment = await getShipment(db, answer.shipmentUuid);
  return { kind: 'issued', shipment, parcel: parcelOfCode(shipment.trackingCode ?? ''), answer };
}

/** The first poll of a new parcel's status; null when the carrier has none. */
function firstPollAt({ status }: Pick<CarrierAdapter, 'status'>): string | null {
  return status === undefined ? null : isoAfter(pollDelaySeconds('created') ?? 0);
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

function answerOf({ api, fingerprint }: IdempotencyRef, shipment: ShipmentRecord): StoredAnswer {
  return { shipmentUuid: shipment.uuid, fingerprint, ...createdAnswer(api, shipment) };
}

/**
 * Publishes a booked parcel and stores the key's answer; a repeated call returns the first one. @throws
 * UnclaimedParcel, CodeTaken
 */
export async function recordParcel(app: RecordApp, input: RecordInput): Promise<StoredAnswer> {
  const { creation, order } = input;
  const parcel = await namedParcel(app, input);
  // A restarted run does not know the number.
  const attempt = input.attempt > 0 ? input.attempt : await newestAttempt(app.db, input.shipment);
  const { idempotency } = creation;
  const shipment = recordedShipment(input, input.at ?? nowIso());
  const recorded = await recordBooking(app.db, {
    shipment,
    parcel,
    attempt,
    nextPollAt: firstPollAt(app.carriers(creation.carrier.provider)),
    answer: answerOf(idempotency, shipment),
    keepForSeconds: idempotency.keepForSeconds,
    byStore: idempotency.api === 'v1',
    ...(order === undefined ? {} : { order }),
    evenSo: input.evenSo === true,
  }).catch(async (error: unknown) => {
    if (!(error instanceof RowsLost)) throw error;
    // Restored by another process, they have other row ids all the same.
    await restoreOwn(app, shipment.uuid, { attempt: Math.max(attempt, 1), parcel });
    return null;
  });
  if (recorded === null) return await recordParcel(app, { ...input, ...(await currentRows(app.db, input)) });
  app.wake(recorded.wake);
  return recorded.answer ?? answerOf(idempotency, await getShipment(app.db, shipment.uuid));
}

/** A parcel found only by its code gets the reference that its booking gave it. */
async function namedParcel(
  { carriers, accounts }: RecordApp,
  { creation, parcel }: RecordInput,
): Promise<RecordInput['parcel']> {
  const { licenseId, carrier, details } = creation;
  const adapter = carriers(carrier.provider);
  if (parcel.carrierReference !== null || adapter.adoptedReference === undefined) return parcel;
  const account = await readableAccount({ accounts }, { licenseId, provider: carrier.provider });
  return account === null
    ? parcel
    : { ...parcel, carrierReference: adapter.adoptedReference(details, account) };
}

/** @throws Error when the shipment has no rows */
async function currentRows(db: Database, { shipment }: RecordInput): Promise<Pick<RecordInput, 'shipment'>> {
  const { id, order: row } = await getShipment(db, shipment.uuid);
  return { shipment: { ...shipment, id, order: row } };
}

async function newestAttempt(db: Database, { uuid }: ShipmentRecord): Promise<number> {
  return (await latestAttempt(db, uuid))?.number ?? 0;
}

/** The recording is retried: the flag goes once it succeeds. */
async function showUnrecorded(db: Database, { shipment, parcel }: RecordInput): Promise<void> {
  const reason = `The parcel is booked as ${parcel.trackingCode}, but cannot be recorded; see the log of the workers.`;
  await markNeedsAttention(db, { uuid: shipment.uuid, reason });
}

function recordedShipment(
  { shipment, parcel }: Pick<RecordInput, 'shipment' | 'parcel'>,
  at: string,
): ShipmentRecord {
  const description = parcel.description?.trim() || statusName('created');
  return {
    ...shipment,
    state: 'created',
    trackingCode: parcel.trackingCode,
    status: { code: 'created', description, at },
    updatedAt: at,
  };
}
