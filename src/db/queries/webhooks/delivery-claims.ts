import { LIMITS } from '../../../lib/limits/values.js';
import type { Database, Executor } from '../../database.js';
import { text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { webhookAttempts, webhookDeliveries } from '../../tables/index.js';
import { DELIVERIES, lease } from '../leased-queue.js';
import { CLAIMED, type ClaimedDelivery, DEAD_PROCESS } from './delivery-sending.js';

/**
 * Marks the next attempts of due deliveries, longest due first, and returns them. Events of one shipment are sent in
 * order: of each, and of those in `busyShipments`, only what can be sent now is taken; a later event waits until the
 * earlier ones have ended. An attempt left by a dead process becomes `unknown` and does not count.
 */
export async function claimDue(
  db: Database,
  args: { subscriptionId: string; limit: number; busyShipments: ReadonlySet<number> },
): Promise<ClaimedDelivery[]> {
  const busy = new Set(args.busyShipments);
  const wanted: number[] = [];
  for (let more = true; more && wanted.length < args.limit; ) {
    const looked = args.limit + 8;
    const due = await listDue(db, { subscriptionId: args.subscriptionId, limit: looked, busy });
    const held: DueDelivery[] = [];
    const taken = wanted.length;
    for (const delivery of due) {
      const { id, shipmentId } = delivery;
      if (wanted.length >= args.limit) break;
      if (shipmentId !== null && busy.has(shipmentId)) continue;
      if (delivery.waitsUntil !== null) {
        held.push(delivery);
        continue;
      }
      if (shipmentId !== null) busy.add(shipmentId);
      wanted.push(id);
    }
    const moved = held.length === 0 ? 0 : await holdBack(db, held);
    more = due.length === looked && wanted.length + moved > taken;
  }
  return wanted.length === 0 ? [] : await db.transaction((tx) => claim(tx, args.subscriptionId, wanted));
}

const d = webhookDeliveries.as('d');
const earlier = webhookDeliveries.as('earlier');
const DUE = shape({
  id: d.id,
  shipmentId: d.shipmentId,
  /** When the last of the shipment's earlier ones is due, in MySQL's format; null when none waits. */
  waitsUntil: expression(
    `(SELECT MAX(${earlier.nextAttemptAt}) FROM webhook_deliveries earlier FORCE INDEX (webhook_deliveries_shipment)
      WHERE ${earlier.shipmentId} = ${d.shipmentId} AND ${earlier.subscriptionId} = ${d.subscriptionId}
        AND ${earlier.id} < ${d.id} AND ${earlier.status} = 'pending')`,
    text,
  ).or(null),
});

/** A delivery that is due. */
type DueDelivery = Selected<typeof DUE>;

async function listDue(
  db: Executor,
  args: { subscriptionId: string; limit: number; busy: ReadonlySet<number> },
): Promise<DueDelivery[]> {
  const others =
    args.busy.size === 0
      ? ''
      : `AND (${d.shipmentId} IS NULL OR ${d.shipmentId} NOT IN (${placeholders(args.busy.size)}))`;
  return await DUE.select(
    db,
    `FROM webhook_deliveries d
     WHERE ${d.subscriptionId} = ? AND ${d.status} = 'pending' AND ${d.nextAttemptAt} <= NOW(6) ${others}
     ORDER BY ${d.nextAttemptAt}, ${d.id} LIMIT ?`,
    [args.subscriptionId, ...args.busy, args.limit],
  );
}

/**
 * Postpones deliveries to the due time of the earlier ones that they wait for, so that they do not crowd out those that
 * can be sent. Returns how many it moved.
 */
async function holdBack(db: Executor, held: readonly DueDelivery[]): Promise<number> {
  const { affectedRows } = await db.run(
    `UPDATE webhook_deliveries
     SET next_attempt_at = CASE id ${held.map(() => 'WHEN ? THEN ?').join(' ')} END
     WHERE id IN (${placeholders(held.length)}) AND status = 'pending'`,
    [...held.flatMap(({ id, waitsUntil }) => [id, waitsUntil]), ...held.map(({ id }) => id)],
  );
  return affectedRows;
}

async function claim(tx: Executor, owner: string, ids: readonly number[]): Promise<ClaimedDelivery[]> {
  const claimed = await lease(tx, DELIVERIES, CLAIMED, { owner, ids, seconds: LIMITS.webhooks.leaseSeconds });
  if (claimed.length === 0) return [];
  const retried = claimed.filter(({ number }) => number > 1).map(({ id }) => id);
  if (retried.length > 0 && (await endDeadAttempts(tx, retried)) > 0) await readAllowed(tx, claimed);
  await webhookAttempts.insertText(
    tx,
    claimed.map(({ id, number }) => ({ deliveryId: id, number })),
  );
  return claimed;
}

/** Returns how many rows it has changed. */
async function endDeadAttempts(tx: Executor, deliveryIds: readonly number[]): Promise<number> {
  const { affectedRows } = await tx.run(
    `UPDATE webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
     SET a.state = 'unknown', a.error = ?, d.attempts_allowed = d.attempts_allowed + 1
     WHERE a.delivery_id IN (${placeholders(deliveryIds.length)}) AND a.state = 'sending'`,
    [DEAD_PROCESS, ...deliveryIds],
  );
  return affectedRows;
}

const ALLOWED = webhookDeliveries.pick('id', 'attemptsAllowed');

/** An attempt that does not count allows one more. */
async function readAllowed(tx: Executor, claimed: readonly ClaimedDelivery[]): Promise<void> {
  const rows = await ALLOWED.select(
    tx,
    `FROM webhook_deliveries WHERE id IN (${placeholders(claimed.length)})`,
    claimed.map(({ id }) => id),
  );
  const allowed = new Map(rows.map(({ id, attemptsAllowed }) => [id, attemptsAllowed]));
  for (const delivery of claimed) delivery.allowed = allowed.get(delivery.id) ?? delivery.allowed;
}
