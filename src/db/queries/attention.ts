import type { Executor } from '../database.js';
import { iso, text } from '../row.js';

const LIMIT = 500;

/** Shipments that wait for an operator's decision, oldest first. */
export async function listNeedingAttention(
  db: Executor,
): Promise<
  { uuid: string; provider: string; orderId: string; reason: string; since: string; workflowId: string }[]
> {
  const rows = await db.select(
    `SELECT s.uuid, c.provider, o.order_id, s.status_description, s.status_at, s.workflow_id
     FROM shipments s JOIN carriers c ON c.id = s.carrier_id JOIN orders o ON o.id = s.order_id
     WHERE s.state = 'reserved' AND s.status_code = 'needs_attention' ORDER BY s.created_at LIMIT ${LIMIT}`,
  );
  return rows.map((row) => ({
    uuid: text(row, 'uuid'),
    provider: text(row, 'provider'),
    orderId: text(row, 'order_id'),
    reason: text(row, 'status_description'),
    since: iso(row, 'status_at'),
    workflowId: text(row, 'workflow_id'),
  }));
}

/** The workflow that owns a reservation, or null when the shipment is not a reservation. */
export async function workflowIdOf(db: Executor, uuid: string): Promise<string | null> {
  const [row] = await db.select(`SELECT workflow_id FROM shipments WHERE uuid = ? AND state = 'reserved'`, [
    uuid,
  ]);
  return row === undefined ? null : text(row, 'workflow_id');
}
