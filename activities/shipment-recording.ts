import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import { createdAnswer } from '../src/api/created-answer.js';
import type { CarrierAdapter } from '../src/carriers/contract.js';
import type {
  CodeQuestion,
  IdempotencyRef,
  RecordInput,
  StoredAnswer,
} from '../src/contracts/create-shipment.js';
import { type Database, isUnavailable } from '../src/db/database.js';
import { latestAttempt } from '../src/db/queries/creation/attempts.js';
import {
  CodeTaken,
  markNeedsAttention,
  RowsLost,
  recordBooking,
  UnclaimedParcel,
} from '../src/db/queries/creation/recording.js';
import { getShipment } from '../src/db/queries/shipments/shipments.js';
import { pollDelaySeconds } from '../src/domain/polling.js';
import type { ShipmentRecord } from '../src/domain/shipment.js';
import { statusName } from '../src/domain/statuses.js';
import { isoAfter, nowIso } from '../src/lib/time.js';
import type { App } from '../src/services/app.js';
import { restoreOwn } from './own-rows.js';
import { readableAccount } from './readable-account.js';

const TRIES_UNSEEN = 5;

export type RecordApp = Pick<
  App,
  'db' | 'temporal' | 'carriers' | 'accounts' | 'wake' | 'onRestored' | 'lostLooks'
>;

/** {@link recordParcel}; a code that another parcel has is a question. */
export async function recordOrAsk(app: RecordApp, input: RecordInput): Promise<StoredAnswer | CodeQuestion> {
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

export function answerOf({ api, fingerprint }: IdempotencyRef, shipment: ShipmentRecord): StoredAnswer {
  return { shipmentUuid: shipment.uuid, fingerprint, ...createdAnswer(api, shipment) };
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

/** The shipment with its booked parcel. */
export function recordedShipment(
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

/** The first poll of a new parcel's status; null when the carrier has none. */
export function firstPollAt({ status }: Pick<CarrierAdapter, 'status'>): string | null {
  return status === undefined ? null : isoAfter(pollDelaySeconds('created') ?? 0);
}
