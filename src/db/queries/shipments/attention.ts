import type { StatusCode } from '../../../domain/statuses.js';
import { isoToSql } from '../../../lib/time.js';
import type { Database, Executor, SqlValue } from '../../database.js';
import { int, iso } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { accounts, carriers, orders, shipments, toldOperators } from '../../tables/index.js';

/** A condition on shipments as `s`: given up but booked by the carrier. */
export const UNCLAIMED = `s.state = 'refused' AND s.status_code = 'needs_attention' AND EXISTS (
  SELECT 1 FROM carrier_attempts a WHERE a.shipment_uuid = s.uuid AND a.operation = 'book' AND a.state = 'accepted')`;

/** A condition on shipments as `s`: booked, and nobody knows whether the carrier cancelled it. */
export const UNSURE = "s.state = 'created' AND s.status_code = 'needs_attention'";

const s = shipments.as('s');
const o = orders.as('o');
const BOOKING_CALLS = "FROM carrier_attempts t WHERE t.shipment_uuid = s.uuid AND t.operation = 'book'";
const attempt = expression(`COALESCE((SELECT MAX(t.number) ${BOOKING_CALLS}), 0)`, int);
const NEEDING = shape({
  id: s.id,
  uuid: s.uuid,
  accountId: s.accountId,
  merchant: accounts.as('m').name,
  provider: carriers.as('c').provider,
  orderId: o.orderId,
  trackingCode: s.trackingCode,
  reason: s.statusDescription,
  since: s.statusAt,
  workflowId: s.workflowId,
  state: s.state,
  /** Number of the newest call to the carrier, which a decision names; 0 for none. */
  attempt,
  /** From when on no call can still be under way, ISO 8601 UTC; null where none is. */
  underWayUntil: expression(
    `(SELECT MAX(t.ends_at) ${BOOKING_CALLS} AND t.state = 'sending' AND t.ends_at > NOW(6))`,
    iso,
  ).or(null),
});

/** A shipment that needs an operator; refused: an unclaimed parcel; created: one that may be cancelled. `since`: ISO 8601 UTC. */
export type NeedingAttention = Selected<typeof NEEDING>;

// One query per state: with both, a join would read all the license's entries in the key.
const foundOf = (which: string) => `SELECT s.id FROM licenses l
     STRAIGHT_JOIN shipments s FORCE INDEX (shipments_kind_created) ON s.license_id = l.id AND ${which}`;
/** All that wait, as `s`, with their carriers as `c`. */
const WAITING = `FROM (${foundOf(`s.state = 'reserved' AND s.status_code = 'needs_attention'`)}
       UNION ALL ${foundOf(UNCLAIMED)} UNION ALL ${foundOf(UNSURE)}) waiting
     STRAIGHT_JOIN shipments s ON s.id = waiting.id
     JOIN carriers c ON c.id = s.carrier_id`;

/**
 * Shipments that need an operator's decision, and unclaimed parcels, oldest first, after a row id; of one carrier, or of
 * all.
 */
export async function listNeedingAttention(
  db: Executor,
  { provider, afterId = 0, limit }: { provider?: string | undefined; afterId?: number; limit: number },
): Promise<NeedingAttention[]> {
  return await NEEDING.select(
    db,
    `${WAITING} JOIN orders o ON o.id = s.order_id JOIN accounts m ON m.id = s.account_id
     WHERE s.id > ? ${provider === undefined ? '' : 'AND c.provider = ?'} ORDER BY s.id LIMIT ?`,
    [afterId, ...(provider === undefined ? [] : [provider]), limit],
  );
}

const COUNTED = shape({
  total: expression('COUNT(*)', int),
  /** When the first of them began to wait, ISO 8601 UTC; null where none does. */
  oldest: expression('MIN(s.status_at)', iso).or(null),
});

/** How many need an operator, of one carrier or of all. */
export async function countNeedingAttention(
  db: Executor,
  { provider }: { provider?: string | undefined } = {},
) {
  const only = provider === undefined ? '' : 'WHERE c.provider = ?';
  const counted = await COUNTED.first(db, `${WAITING} ${only}`, provider === undefined ? [] : [provider]);
  return counted ?? { total: 0, oldest: null };
}

/** Shipments by uuid, with their orders' ids. */
export async function listSeen(db: Executor, seen: readonly { uuid: string }[]) {
  if (seen.length === 0) return [];
  return await NAMED.select(
    db,
    `FROM shipments s JOIN orders o ON o.id = s.order_id JOIN accounts m ON m.id = s.account_id
     WHERE s.uuid IN (${placeholders(seen.length)}) ORDER BY s.id`,
    seen.map(({ uuid }) => uuid),
  );
}

const NAMED = shape({
  uuid: s.uuid,
  accountId: s.accountId,
  merchant: accounts.as('m').name,
  orderId: o.orderId,
  state: s.state,
});

/** A shipment as questions and outcomes name it. */
export type NamedShipment = Selected<typeof NAMED>;

/**
 * Shipments of a license that need an operator's decision, oldest first. `attempt`: number of the newest call to the
 * carrier at that time.
 */
export async function listWaitingOf(db: Executor, { licenseId, at }: { licenseId: number; at: string }) {
  const seen = expression(`COALESCE((SELECT MAX(t.number) ${BOOKING_CALLS} AND t.sent_at <= ?), 0)`, int);
  return await shape({ uuid: s.uuid, attempt: seen }).select(
    db,
    `FROM shipments s
     WHERE s.license_id = ? AND s.state = 'reserved' AND s.status_code = 'needs_attention'
     ORDER BY s.created_at, s.id`,
    [isoToSql(at), licenseId],
  );
}

/** A shipment about which an operator may decide. `workflowId`: of the creation that waits; null where none does. */
export async function findDecidable(db: Executor, uuid: string) {
  const columns = shipments.pick('accountId', 'state', 'workflowId');
  const found = await shipments.findOne(db, columns, { uuid, accountId: undefined });
  if (found === null) return null;
  const { accountId, state, workflowId } = found;
  return { accountId, workflowId: state === 'reserved' ? workflowId : null };
}

/** Records that an unclaimed parcel was handled; false when it is none. */
export async function dismissUnclaimed(
  db: Database,
  { uuid, reason }: { uuid: string; reason: string },
): Promise<boolean> {
  const change = { uuid, code: 'cancelled', description: reason } as const;
  return await db.transaction((tx) => changeStatus(tx, change, UNCLAIMED));
}

/**
 * Gives a shipment a status now, in its row and its history, where `condition` on the shipment `s` holds; false where
 * it does not.
 */
export async function changeStatus(
  tx: Executor,
  change: { uuid: string; code: StatusCode; description: string },
  condition: string,
  params: readonly SqlValue[] = [],
): Promise<boolean> {
  const { uuid, code } = change;
  const description = change.description.slice(0, 500);
  const { affectedRows } = await tx.run(
    `UPDATE shipments s SET s.status_code = ?, s.status_description = ?, s.status_at = NOW(6)
     WHERE s.uuid = ? AND ${condition}`,
    [code, description, uuid, ...params],
  );
  if (affectedRows === 0) return false;
  await tx.run(
    `INSERT INTO shipment_events (shipment_id, code, description, occurred_at)
     SELECT id, ?, ?, NOW(6) FROM shipments WHERE uuid = ?`,
    [code, description, uuid],
  );
  return true;
}

/** The ways of telling operators. */
export type OperatorChannel = 'hook' | 'mail';

/** A shipment that waits for a person; `since` is when it began, as ISO 8601 UTC with microseconds. */
interface Wait {
  uuid: string;
  since: string;
}

const BEGUN = shape({ uuid: s.uuid, provider: carriers.as('c').provider, since: s.statusAt });

/** A wait that a channel has not told of. */
export type BegunWait = Selected<typeof BEGUN>;

/** The waits that the channel has not told of yet, oldest first. */
export async function listUntold(
  db: Executor,
  channel: OperatorChannel,
  limit: number,
): Promise<BegunWait[]> {
  return await BEGUN.select(
    db,
    `${WAITING} LEFT JOIN told_operators told ON told.channel = ? AND told.shipment_uuid = s.uuid
     WHERE told.since IS NULL OR told.since <> s.status_at ORDER BY s.id LIMIT ?`,
    [channel, limit],
  );
}

/** Notes waits that the channel has told of. */
export async function markTold(
  db: Executor,
  channel: OperatorChannel,
  waits: readonly Wait[],
): Promise<void> {
  const rows = waits.map(({ uuid: shipmentUuid, since }) => ({ channel, shipmentUuid, since }));
  await toldOperators.insertText(db, rows, 'ON DUPLICATE KEY UPDATE since = VALUES(since), told_at = NOW(6)');
}

/** Forgets waits that are over. */
export async function forgetTold(db: Executor, channel: OperatorChannel): Promise<void> {
  await db.run(
    `DELETE told FROM told_operators told LEFT JOIN shipments s ON s.uuid = told.shipment_uuid
     WHERE told.channel = ? AND (s.id IS NULL OR s.status_code <> 'needs_attention')`,
    [channel],
  );
}
