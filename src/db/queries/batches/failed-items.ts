import type { Executor } from '../../database.js';
import { int, text } from '../../row.js';
import { expression, type Selected, shape } from '../../selection.js';
import { batches, batchItems } from '../../tables/index.js';

const i = batchItems.as('i');
const FAILED = shape({
  position: i.position,
  payload: expression(`${i.payload}`, text),
  code: expression(`JSON_UNQUOTE(JSON_EXTRACT(${i.error}, '$.code'))`, text),
  message: expression(`JSON_UNQUOTE(JSON_EXTRACT(${i.error}, '$.message'))`, text),
});

/** A failed item whose data are at fault: what was sent, and why it was refused. */
export type FailedItem = Selected<typeof FAILED>;

/**
 * Of an account's batch, the failed items that other data may mend. One that has a shipment which is not refused, or whose
 * answer is not known, is none: it may have a parcel.
 */
const CORRECTABLE = `FROM batch_items i JOIN batches b ON b.id = ${i.batchId}
  LEFT JOIN shipments s ON s.uuid = ${i.shipmentUuid}
  WHERE ${batches.as('b').accountId} = ? AND ${i.batchId} = ? AND ${i.status} = 'failed'
    AND ${i.payload} IS NOT NULL
    AND JSON_UNQUOTE(JSON_EXTRACT(${i.error}, '$.code')) IN ('validation_failed', 'carrier_rejected', 'duplicate_request')
    AND (s.id IS NULL OR s.state = 'refused')`;

interface OfBatch {
  accountId: number;
  batchId: number;
}

/** The items in the order of the batch. */
export async function failedItems(db: Executor, { accountId, batchId }: OfBatch): Promise<FailedItem[]> {
  return await FAILED.select(db, `${CORRECTABLE} ORDER BY ${i.position}`, [accountId, batchId]);
}

/** How many there are. */
export async function countCorrectable(db: Executor, { accountId, batchId }: OfBatch): Promise<number> {
  const counted = shape({ items: expression('COUNT(*)', int) });
  return (await counted.first(db, CORRECTABLE, [accountId, batchId]))?.items ?? 0;
}
