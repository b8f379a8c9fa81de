import type { Creation, StoredAnswer } from '../../../contracts/create-shipment.js';
import type { WakeTarget } from '../../../contracts/wake.js';
import type { BookedParcel, OrderSnapshot, ShipmentRecord } from '../../../domain/shipment.js';
import { statusName } from '../../../domain/statuses.js';
import { nowIso } from '../../../lib/time.js';
import type { Database, Executor } from '../../database.js';
import { carrierAttempts, shipments } from '../../tables/index.js';
import { changeStatus } from '../shipments/attention.js';
import { getShipment } from '../shipments/shipments.js';
import { listSubscribers } from '../webhooks/events.js';
import { cancelIn } from './cancelling.js';
import { DuplicateOrder, type NewShipment, writeReservation } from './creation.js';
import { takeKey } from './idempotency.js';
import { recordIn, showUnclaimed } from './recording.js';

/** A shipment that its run knows, and the database perhaps not. */
export interface LostShipment {
  creation: Creation;
  order: OrderSnapshot;
  identity: NewShipment;
  /** The newest call to the carrier; null where nothing was sent. */
  call: { attempt: number; parcel: BookedParcel | null } | null;
  /**
   * `recorded`: a caller may have read the answer. `open`: its run goes on, or a person decides, for the `reason`.
   * `unclaimed`: operators cancel the parcel at the carrier.
   */
  as: RecordedParcel | { kind: 'open'; reason: string | null } | { kind: 'unclaimed' };
}

interface RecordedParcel {
  kind: 'recorded';
  answer: StoredAnswer;
  parcel: BookedParcel;
  /** First poll of the parcel's status; null when the carrier has none. */
  nextPollAt: string | null;
  /** The carrier's words when it cancelled the parcel; null where it did not. */
  cancelled: { text: string; reason: string | null } | null;
}

/** The rows that were written: none where the shipment has rows. `second`: its key or order belongs to another one by now. */
interface Restored {
  kind: 'there' | 'recorded' | 'cancelled' | 'open' | 'unclaimed' | 'second';
  wake: WakeTarget[];
}

/** The state of the shipment of this uuid, in any account; null where the database has none. */
export async function findState(
  db: Executor,
  uuid: string,
  { lock = false } = {},
): Promise<ShipmentRecord['state'] | null> {
  const found = await shipments.findOne(
    db,
    shipments.pick('state'),
    { uuid, accountId: undefined },
    { lock },
  );
  return found && found.state;
}

/**
 * Writes order, shipment, attempt, key, and where it was recorded its event and answer, in one transaction, as far as
 * the shipment has no rows. The row ids are new. Idempotent. `wake`: who delivers.
 */
export async function restoreShipment(db: Database, lost: LostShipment): Promise<Restored> {
  const subscribers = listSubscribers(db, lost.creation);
  const written = db.transaction(async (tx): Promise<Restored> => {
    const { uuid } = lost.identity;
    const state = await findState(tx, uuid, { lock: true });
    if (state !== null && state !== 'reserved') return { kind: 'there', wake: [] };
    // The reservation may have reached the server when the recording did not.
    const isHalf = state === 'reserved';
    const reserved = isHalf
      ? { shipment: await getShipment(tx, uuid), orderExisted: true }
      : await reserveAgain(tx, lost);
    if (reserved === null) return { kind: 'second', wake: [] };
    if (!isHalf || lost.call?.parcel) await noteCall(tx, lost);
    if (isHalf && lost.as.kind !== 'recorded') return { kind: 'there', wake: [] };
    switch (lost.as.kind) {
      case 'recorded':
        return await recordAgain(tx, { lost, reserved, subscribers }, lost.as);
      case 'unclaimed':
        await showParcel(tx, lost);
        return { kind: 'unclaimed', wake: [] };
      case 'open':
        if (lost.as.reason !== null) {
          const change = { uuid, code: 'needs_attention', description: lost.as.reason } as const;
          await changeStatus(tx, change, "s.state = 'reserved'");
        }
        return { kind: 'open', wake: [] };
    }
  });
  const [result] = await Promise.all([written, subscribers]);
  return result;
}

type Reserved = { shipment: ShipmentRecord; orderExisted?: boolean };

/**
 * Null where key or order have another shipment by now: the parcel is then shown to operators as a second one. A caller
 * may know a recorded one, so it is kept beside the other.
 */
async function reserveAgain(tx: Executor, lost: LostShipment): Promise<Reserved | null> {
  const { creation, order, identity, as } = lost;
  const { accountId, idempotency } = creation;
  const given = (multipleShipment: boolean) => ({ creation: { ...creation, multipleShipment }, order });
  if (as.kind === 'unclaimed') return await writeReservation(tx, given(true), identity, true);
  const key = await takeKey(tx, { accountId, idempotency, uuid: identity.uuid });
  const isFree = key === undefined || key.shipmentUuid === identity.uuid;
  if (as.kind === 'recorded') return await writeReservation(tx, given(true), identity);
  try {
    if (isFree) return await writeReservation(tx, given(creation.multipleShipment), identity);
  } catch (error) {
    if (!(error instanceof DuplicateOrder)) throw error;
    await tx.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ?', [identity.uuid]);
  }
  await writeReservation(tx, given(true), identity, true);
  await noteCall(tx, lost);
  await showParcel(tx, lost);
  return null;
}

/** The call as the next try, or a person, finds it. */
async function noteCall(tx: Executor, { identity, call }: LostShipment): Promise<void> {
  if (call !== null) await keepCall(tx, identity.uuid, call);
}

/** Writes an attempt that the database has lost; one that it has stays as it is. */
export async function keepCall(
  tx: Executor,
  uuid: string,
  { attempt: number, parcel }: { attempt: number; parcel: BookedParcel | null },
): Promise<void> {
  const outcome =
    parcel === null
      ? ({ state: 'unknown', outcomeCode: 'lost', outcomeText: LOST } as const)
      : ({ state: 'accepted', outcomeCode: parcel.trackingCode, outcomeText: null } as const);
  const row = { shipmentUuid: uuid, operation: 'book', number, ...outcome, answeredAt: nowIso() };
  await carrierAttempts.insert(tx, row, { replacing: ['number'] });
}

const LOST = 'The database has lost what became of this call.';

async function showParcel(tx: Executor, { identity: { uuid }, call }: LostShipment): Promise<void> {
  if (call === null) return;
  const { attempt, parcel } = call;
  if (parcel !== null) {
    const { trackingCode } = parcel;
    await showUnclaimed(
      tx,
      { uuid, trackingCode, attempt },
      'for an order that has another shipment, or none',
    );
    return;
  }
  const description = 'Something was sent to the carrier for it, and the database has lost what: look there.';
  await changeStatus(tx, { uuid, code: 'needs_attention', description }, "s.state = 'refused'");
}

/** Records the parcel with its first answer, which is kept for what is left of its time. */
async function recordAgain(
  tx: Executor,
  again: { lost: LostShipment; reserved: Reserved; subscribers: ReturnType<typeof listSubscribers> },
  { answer, parcel, nextPollAt, cancelled }: RecordedParcel,
): Promise<Restored> {
  const { creation, order, call } = again.lost;
  const { shipment, orderExisted } = again.reserved;
  const { api, keepForSeconds } = creation.idempotency;
  const at = nowIso();
  const description = parcel.description?.trim() || statusName('created');
  const record = {
    shipment: { ...shipment, status: { code: 'created' as const, description, at }, updatedAt: at },
    parcel,
    attempt: call?.attempt ?? 0,
    nextPollAt,
    answer,
    keepForSeconds,
    byStore: api === 'v1',
    ...(orderExisted === true ? { order } : {}),
    evenSo: true,
  };
  const recorded = await recordIn(tx, record, again.subscribers);
  if (recorded instanceof Error) throw recorded;
  if (cancelled === null) return { kind: 'recorded', wake: recorded.wake };
  const words = { carrierText: cancelled.text.trim(), reason: cancelled.reason?.trim() ?? '' };
  const { wake } = await cancelIn(tx, { uuid: shipment.uuid, ...words, at });
  return { kind: 'cancelled', wake: [...recorded.wake, ...wake] };
}
