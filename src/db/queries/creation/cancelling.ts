import type { WakeTarget } from '../../../contracts/wake.js';
import { eventsOfChange } from '../../../domain/events.js';
import { isFinal, type StatusCode, statusName } from '../../../domain/statuses.js';
import { cutText } from '../../../lib/text.js';
import { isoToSql, nowIso } from '../../../lib/time.js';
import type { Database, Executor } from '../../database.js';
import { text } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { carriers, shipmentEvents, shipments } from '../../tables/index.js';
import { changeStatus, UNSURE } from '../shipments/attention.js';
import { countStatusChange } from '../shipments/shipment-counts.js';
import { recordEvents } from '../webhooks/events.js';

const c = carriers.as('c');
const s = shipments.as('s');
const PARCEL = shape({
  /** The shipment's row id. */
  id: s.id,
  licenseId: s.licenseId,
  provider: c.provider,
  reference: s.uuid,
  trackingCode: expression(s.trackingCode.sql, text),
  carrierReference: s.carrierReference,
  status: s.statusCode,
  statusAt: s.statusAt,
  createdAt: s.createdAt,
});
const STATUS = shape({ status: s.statusCode, statusAt: s.statusAt });
const LOCKED = shape({
  shipmentId: s.id,
  accountId: s.accountId,
  licenseId: s.licenseId,
  state: s.state,
  serviceType: s.serviceType,
  status: s.statusCode,
});

/** The booked parcel of a shipment of this account as carrier calls need it, with its present status; or null. */
export async function findParcel(db: Executor, args: { accountId: number; shipmentUuid: string }) {
  return await PARCEL.first(
    db,
    `FROM shipments s JOIN carriers c ON ${c.id} = ${s.carrierId}
     WHERE ${s.uuid} = ? AND ${s.accountId} = ? AND ${s.state} = 'created'`,
    [args.shipmentUuid, args.accountId],
  );
}

/**
 * {@link findParcel}, locked until the transaction's end: its status stays as it is read. Only the shipment's row is
 * locked, as many share a carrier's.
 */
export async function lockParcel(tx: Executor, args: { accountId: number; shipmentUuid: string }) {
  const locked = await STATUS.first(
    tx,
    `FROM shipments s WHERE ${s.uuid} = ? AND ${s.accountId} = ? FOR UPDATE`,
    [args.shipmentUuid, args.accountId],
  );
  const parcel = locked === null ? null : await findParcel(tx, args);
  // The transaction may see the rest as it was at its begin.
  return parcel === null ? null : { ...parcel, ...locked };
}

/**
 * Cancels the shipment unless it has another final status. Idempotent. The status shows the carrier's text, or its name
 * where that is empty; the history gets the reason, even if a poll or webhook reported the cancellation first.
 * `byStore`: requested by a store through v1. `cancelled`: the shipment is cancelled now; `wake`: who delivers the
 * events.
 */
export async function recordCancellation(
  db: Database,
  args: Cancellation,
): Promise<{ cancelled: boolean; wake: WakeTarget[] }> {
  return await db.transaction((tx) => cancelIn(tx, args));
}

interface Cancellation {
  uuid: string;
  carrierText: string;
  reason: string;
  at: string;
  byStore?: boolean;
}

/** {@link recordCancellation} in a transaction. */
export async function cancelIn(
  tx: Executor,
  args: Cancellation,
): Promise<{ cancelled: boolean; wake: WakeTarget[] }> {
  const at = isoToSql(args.at);
  const carrierText = cutText(args.carrierText, 500);
  const description = carrierText || statusName('cancelled');
  const locked = await LOCKED.first(tx, `FROM shipments s WHERE ${s.uuid} = ? FOR UPDATE`, [args.uuid]);
  if (locked === null) return { cancelled: false, wake: [] };
  const { shipmentId, accountId, licenseId, status: previous } = locked;
  const reason = cutText(args.reason, 500);
  const carrierDescription = carrierText || null;
  const event = { shipmentId, code: 'cancelled', occurredAt: args.at, carrierDescription } as const;
  if (previous === 'cancelled' && reason !== '') {
    const noted = { shipmentId, code: 'cancelled', description: reason } as const;
    if ((await shipmentEvents.findOne(tx, shipmentEvents.pick('id'), noted)) === null)
      await shipmentEvents.insert(tx, { ...event, description: reason });
  }
  if (isFinal(previous)) return { cancelled: previous === 'cancelled', wake: [] };
  await tx.run(
    `UPDATE shipments SET status_code = 'cancelled', status_description = ?, status_at = ?, cancelled_at = ?,
            is_active = FALSE, next_poll_at = NULL, updated_at = ? WHERE id = ?`,
    [description, at, at, at, shipmentId],
  );
  await shipmentEvents.insert(tx, { ...event, description: reason || description });
  await countStatusChange(tx, locked, 'cancelled');
  const wake = await recordEvents(tx, {
    accountId,
    licenseId,
    shipmentId,
    events: eventsOfChange(previous, { code: 'cancelled', at: args.at }),
    byStore: args.byStore === true,
  });
  return { cancelled: true, wake };
}

/**
 * Shows a person a booked parcel of which nobody knows whether its cancellation took effect; it stays active. Later
 * reports of the carrier count. Idempotent; changes nothing in a final status. `text`: the carrier's last answer.
 */
export async function flagCancellation(db: Database, args: { uuid: string; text: string }): Promise<void> {
  const description = `An answer to a cancellation was lost, and the carrier said then: ${args.text}`;
  await changeBooked(
    db,
    { uuid: args.uuid, code: 'needs_attention', description },
    (status) => !isFinal(status),
  );
}

/** Ends what {@link flagCancellation} began: the parcel goes on, or is cancelled. False where nothing waits. */
export async function decideCancellation(
  db: Database,
  { uuid, isCancelled, reason }: { uuid: string; isCancelled: boolean; reason: string },
): Promise<{ decided: boolean; wake: WakeTarget[] }> {
  if (isCancelled) {
    const waits = await s.id.first(db, `FROM shipments s WHERE ${s.uuid} = ? AND ${UNSURE}`, [uuid]);
    if (waits === null) return { decided: false, wake: [] };
    const { cancelled, wake } = await recordCancellation(db, { uuid, carrierText: '', reason, at: nowIso() });
    return { decided: cancelled, wake };
  }
  const change = { uuid, code: 'created', description: reason || statusName('created') } as const;
  return { decided: await changeBooked(db, change, (status) => status === 'needs_attention'), wake: [] };
}

/** Gives a booked shipment a status where its present one `fits`; no event is sent, as the parcel stays what it was. */
async function changeBooked(
  db: Database,
  change: { uuid: string; code: StatusCode; description: string },
  fits: (status: StatusCode) => boolean,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const locked = await LOCKED.first(tx, `FROM shipments s WHERE ${s.uuid} = ? FOR UPDATE`, [change.uuid]);
    if (locked?.state !== 'created' || locked.status === change.code || !fits(locked.status)) return false;
    await changeStatus(tx, change, `${s.state} = 'created'`);
    await countStatusChange(tx, locked, change.code);
    return true;
  });
}
