import type { StatusCode } from '../../../domain/statuses.js';
import type { Database, Executor, SqlValue } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { placeholders } from '../../sql.js';
import { carriers, orders, shipments, toldOperators } from '../../tables/index.js';

/** A condition on shipments as `s`: given up but booked by the carrier. */
export const UNCLAIMED = `s.state = 'refused' AND s.status_code = 'needs_attention' AND EXISTS (
  SELECT 1 FROM carrier_attempts a WHERE a.shipment_uuid = s.uuid AND a.operation = 'book' AND a.state = 'accepted')`;

const s = shipments.as('s');
const o = orders.as('o');
const NEEDING = shape({
  uuid: s.uuid,
  accountId: s.accountId,
  provider: carriers.as('c').provider,
  orderId: o.orderId,
  reason: s.statusDescription,
  since: s.statusAt,
  workflowId: s.workflowId,
});

/** A shipment that needs an operator, or an unclaimed parcel. `since`: ISO 8601 UTC. */
export type NeedingAttention = Selected<typeof NEEDING>;

/** Shipments that need an operator's decision, and unclaimed parcels, oldest first; of one carrier, or of all. */
export async function listNeedingAttention(
  db: Executor,
  { provider }: { provider?: string | undefined } = {},
): Promise<NeedingAttention[]> {
  // One query per state: with both, a join would read all the license's entries in the key.
  const found = (which: string) => `SELECT s.id FROM licenses l
     STRAIGHT_JOIN shipments s FORCE INDEX (shipments_kind_created) ON s.license_id = l.id AND ${which}`;
  return await NEEDING.select(
    db,
    `FROM (${found(`s.state = 'reserved' AND s.status_code = 'needs_attention'`)}
       UNION ALL ${found(UNCLAIMED)}) waiting
     STRAIGHT_JOIN shipments s ON s.id = waiting.id
     JOIN carriers c ON c.id = s.carrier_id JOIN orders o ON o.id = s.order_id
     ${provider === undefined ? '' : 'WHERE c.provider = ?'}
     ORDER BY s.created_at LIMIT 500`,
    provider === undefined ? [] : [provider],
  );
}

/** Shipments of a license that need an operator's decision, oldest first. */
export async function listWaitingOf(db: Executor, licenseId: number) {
  return await shape({ uuid: s.uuid, orderId: o.orderId }).select(
    db,
    `FROM shipments s JOIN orders o ON o.id = s.order_id
     WHERE s.license_id = ? AND s.state = 'reserved' AND s.status_code = 'needs_attention'
     ORDER BY s.created_at, s.id`,
    [licenseId],
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

/** The waits that the channel has told of, by uuid. */
export async function mapTold(db: Executor, channel: OperatorChannel): Promise<Map<string, string>> {
  const told = await toldOperators.find(db, toldOperators.pick('shipmentUuid', 'since'), { channel });
  return new Map(told.map(({ shipmentUuid, since }) => [shipmentUuid, since]));
}

/** Notes waits that the channel has told of. */
export async function markTold(
  db: Executor,
  channel: OperatorChannel,
  waits: readonly Wait[],
): Promise<void> {
  const rows = waits.map(({ uuid: shipmentUuid, since }) => ({ channel, shipmentUuid, since }));
  await toldOperators.insertAll(db, rows, 'ON DUPLICATE KEY UPDATE since = VALUES(since), told_at = NOW(6)');
}

/** Forgets waits that are over. */
export async function forgetTold(
  db: Executor,
  channel: OperatorChannel,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length === 0) return;
  await db.run(
    `DELETE FROM told_operators WHERE channel = ? AND shipment_uuid IN (${placeholders(uuids.length)})`,
    [channel, ...uuids],
  );
}
