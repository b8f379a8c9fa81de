import { eventually } from '../../support/conditions.js';
import type { TestStack } from '../../support/stack.js';

type Stores = Pick<TestStack, 'db' | 'temporal'>;

const SWEEP_EVERY_MS = 3000;
/** Sweeps that Schedules start in a running system. */
const SWEEPS = ['wakeDeliveries', 'resumeBatches', 'housekeeping'];

/** A booking that nobody but a person can decide. */
const ASKS = "state = 'reserved' AND status_code = 'needs_attention'";

const OPEN = {
  'parcels without an end': `SELECT COUNT(*) FROM shipments WHERE state = 'reserved'`,
  'keys without an answer': `SELECT COUNT(*) FROM idempotency_keys WHERE response_status IS NULL`,
  'items of batches': `SELECT COUNT(*) FROM batch_items WHERE status = 'pending'`,
  deliveries: `SELECT COUNT(*) FROM webhook_deliveries WHERE status = 'pending'`,
  mails: `SELECT COUNT(*) FROM notification_logs WHERE status = 'pending'`,
  exports: `SELECT COUNT(*) FROM exports WHERE status IN ('pending', 'processing')`,
};
/** Rows that a parcel that asks for a person holds open. */
const HELD = new Set(['parcels without an end', 'keys without an answer', 'items of batches', 'creations']);

/** Work under way, one line a kind; `asking`: a parcel that asks for a person does not count. */
export async function openWork(
  { db, temporal }: Stores,
  asking: 'asking' | 'all' = 'all',
): Promise<string[]> {
  const parts = Object.values(OPEN).map((sql, index) => `(${sql}) AS open${index}`);
  const [row] = await db.select(
    `SELECT ${parts.join(', ')}, (SELECT COUNT(*) FROM shipments WHERE ${ASKS}) AS asks`,
  );
  const { count: creations } = await temporal.workflow.count(
    `WorkflowType = 'createShipment' AND ExecutionStatus = 'Running'`,
  );
  const asks = asking === 'asking' ? Number(row?.asks) : 0;
  const counts = [
    ...Object.keys(OPEN).map((what, index): [string, number] => [what, Number(row?.[`open${index}`])]),
    ['creations', creations] as const,
  ];
  return counts
    .map(([what, count]): [string, number] => [what, count - (HELD.has(what) ? asks : 0)])
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`);
}

/**
 * Waits until nothing is under way, at most `limitMs` of an idle machine; how many ms that took. Sweeps run meanwhile.
 * @throws Error naming what is left
 */
export async function atRest(stack: Stores, asking: 'asking' | 'all', limitMs: number): Promise<number> {
  const startedAt = Date.now();
  let sweptAt = 0;
  let left: string[] = ['everything'];
  const probe = async () => {
    try {
      if (Date.now() - sweptAt > SWEEP_EVERY_MS) {
        sweptAt = Date.now();
        for (const sweep of SWEEPS) await startSweep(stack, sweep, sweptAt);
      }
      left = await openWork(stack, asking);
      return left.length === 0;
    } catch {
      // The connections may still be those of the engine that was killed.
      return false;
    }
  };
  await eventually(probe, 'rest', limitMs).catch((error: unknown) => {
    throw new Error(`${left.join(', ')} left`, { cause: error });
  });
  return Date.now() - startedAt;
}

async function startSweep({ temporal }: Stores, workflowType: string, at: number): Promise<void> {
  await temporal.workflow.start(workflowType, {
    workflowId: `${workflowType}-${at}`,
    taskQueue: 'shipments',
  });
}
