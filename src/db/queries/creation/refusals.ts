import type { WakeTarget } from '../../../contracts/wake.js';
import { REFUSED_EVENT, type RefusalCode } from '../../../domain/events.js';
import type { Database, Executor } from '../../database.js';
import { text } from '../../row.js';
import { expression, shape } from '../../selection.js';
import { idempotencyKeys, shipments } from '../../tables/index.js';
import { recordEvents } from '../webhooks/events.js';
import { keepOutAttempts } from './attempts.js';
import { findRecordedCode } from './recording.js';

/** Why a creation ends without a parcel. `reason`: the carrier's or the operator's words, or the error in its data. */
export interface Refusal {
  code: RefusalCode;
  reason: string;
}

/**
 * Ends a reservation that the carrier, our checks or an operator refused. Frees its key and keeps the shipment as
 * evidence beside its attempts, all of which end. A caller that was answered before the refusal gets an event.
 * Idempotent. `wake`: who delivers. `recorded`: the tracking code of a parcel that a late try has booked meanwhile; it
 * is no longer refused.
 */
export async function releaseShipment(
  db: Database,
  args: { uuid: string } & Refusal,
): Promise<{ recorded: string | null; wake: WakeTarget[] }> {
  return await db.transaction(async (tx) => {
    const targets = await refuse(tx, args, '');
    const recorded = targets === null ? await findRecordedCode(tx, args.uuid) : null;
    if (recorded !== null) return { recorded, wake: [] };
    await freeKey(tx, args.uuid);
    await tx.run(
      `UPDATE carrier_attempts a JOIN shipments s ON s.uuid = a.shipment_uuid
       SET a.state = 'unknown', a.outcome_code = 'given_up', a.answered_at = NOW(6)
       WHERE s.uuid = ? AND s.state = 'refused' AND a.state = 'sending'`,
      [args.uuid],
    );
    return { recorded, wake: targets ?? [] };
  });
}

/**
 * Releases a reservation that was never sent and whose run is closed. A run that starts meanwhile waits for the key's
 * row and then finds the key free, so it cannot book the released one. The sweep delivers an event that is due. Returns
 * `open` while the run is open, `kept` when something was sent, or it is no reservation.
 */
export async function releaseUnsent(
  db: Database,
  args: { uuid: string; reason: string; isRunOpen: () => Promise<boolean> },
): Promise<'released' | 'open' | 'kept'> {
  const { uuid, reason } = args;
  return await db.transaction(async (tx) => {
    const open = { shipmentUuid: uuid, responseStatus: null, accountId: undefined };
    const key = await idempotencyKeys.findOne(tx, idempotencyKeys.pick('id'), open, { lock: true });
    if (key === null) return 'kept';
    if (await args.isRunOpen()) return 'open';
    // Later attempts wait for the row and find it refused.
    const unsent = 'AND NOT EXISTS (SELECT 1 FROM carrier_attempts a WHERE a.shipment_uuid = shipments.uuid)';
    if ((await refuse(tx, { uuid, reason, code: 'given_up' }, unsent)) === null) return 'kept';
    await freeKey(tx, uuid);
    return 'released';
  });
}

const s = shipments.as('s');
const RESERVED = shape({
  shipmentId: s.id,
  accountId: s.accountId,
  licenseId: s.licenseId,
  isTold: s.answeredPending,
  orderNumber: expression(`JSON_UNQUOTE(JSON_EXTRACT(${s.pendingOrder}, '$.number'))`, text).or(null),
});

/**
 * `also`: a further condition on the reservation, evaluated on rows committed before the lock. Returns null where it
 * does not hold, else who delivers the event.
 */
async function refuse(
  tx: Executor,
  { uuid, code, reason }: { uuid: string } & Refusal,
  also: string,
): Promise<WakeTarget[] | null> {
  // Read before the order's snapshot is deleted.
  const reserved = await RESERVED.first(
    tx,
    `FROM shipments s WHERE ${s.uuid} = ? AND ${s.state} = 'reserved' FOR UPDATE`,
    [uuid],
  );
  const message = reason.slice(0, 500);
  const refused = await tx.run(
    `UPDATE shipments SET state = 'refused', is_active = FALSE, pending_order = NULL, status_description = ?
     WHERE uuid = ? AND state = 'reserved' ${also}`,
    [message, uuid],
  );
  if (reserved === null || refused.affectedRows === 0) return null;
  await keepOutAttempts(tx, uuid);
  const { orderNumber, isTold, ...shipment } = reserved;
  if (!isTold) return [];
  return await recordEvents(tx, {
    ...shipment,
    events: [{ event: REFUSED_EVENT, fields: { code, message } }],
    ...(orderNumber === null ? {} : { orderNumber }),
  });
}

async function freeKey(tx: Executor, uuid: string): Promise<void> {
  await tx.run('DELETE FROM idempotency_keys WHERE shipment_uuid = ? AND response_status IS NULL', [uuid]);
}

/** Records that a caller was answered while the creation still runs: an event then reports its refusal. */
export async function notePendingAnswer(db: Executor, uuid: string): Promise<void> {
  const reserved = { uuid, state: 'reserved', accountId: undefined } as const;
  await shipments.update(db, reserved, { answeredPending: true });
}

/** Why the account's creation ended without a parcel; null when it has not, or the reason is unknown. */
export async function findRefusal(
  db: Executor,
  args: { accountId: number; uuid: string },
): Promise<string | null> {
  const { accountId, uuid } = args;
  const where = { uuid, accountId, state: 'refused' } as const;
  const found = await shipments.findOne(db, shipments.pick('statusDescription'), where);
  return found && found.statusDescription;
}
