import type { BatchRecord } from '../../../domain/batch.js';
import type { Executor } from '../../database.js';
import { type Selected, shape } from '../../selection.js';
import { batchItems } from '../../tables/index.js';
import { allOf } from '../keyset.js';
import { BATCH } from './batches.js';

/** The newest batches of an account or of all, 200 at most; `open`: those with pending items. For the operator. */
export async function listLatestBatches(
  db: Executor,
  filter: { accountId?: number | undefined; uuid?: string; open?: boolean },
): Promise<BatchRecord[]> {
  const { sql, params } = allOf([
    ['TRUE'],
    ['b.account_id = ?', filter.accountId],
    ['b.uuid = ?', filter.uuid],
    ...(filter.open ? [['b.pending_count > 0'] as const] : []),
  ]);
  return await BATCH.select(db, `FROM batches b WHERE ${sql} ORDER BY b.id DESC LIMIT 200`, params);
}

const i = batchItems.as('i');
const FAILURE = shape({ position: i.position, error: i.error });

/** The first failed items of a batch with their errors; 50 at most. */
export async function listBatchErrors(db: Executor, batchId: number): Promise<Selected<typeof FAILURE>[]> {
  return await FAILURE.select(
    db,
    `FROM batch_items i WHERE i.batch_id = ? AND i.status = 'failed' ORDER BY i.position LIMIT 50`,
    [batchId],
  );
}
