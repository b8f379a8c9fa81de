import { type BatchItemRecord, type BatchRecord, batchStatus } from '../../../domain/batch.js';
import type { Batch, BatchItem } from './schema.js';

/** A batch by itself. */
export function presentBatch(record: BatchRecord): Batch {
  const { total, created, failed, pending } = record.summary;
  return {
    id: record.uuid,
    status: batchStatus(record.summary),
    summary: { total, created, failed, pending },
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/**
 * A batch in the list, with its items in the order given, as JSON text. Bodies of items go in as they are stored: reading
 * and writing megabytes of them would hold up everybody else.
 */
export function batchWithItemsText(record: BatchRecord, items: readonly BatchItemRecord[]): string {
  const texts = items.map((item) => {
    const rest = JSON.stringify(presentBatchItem({ ...item, payload: null }));
    return rest.replace('"payload":null', () => `"payload":${item.payload ?? 'null'}`);
  });
  return `${JSON.stringify(presentBatch(record)).slice(0, -1)},"items":[${texts.join(',')}]}`;
}

/** One item. */
export function presentBatchItem(record: BatchItemRecord): BatchItem {
  const payload: unknown = record.payload === null ? null : JSON.parse(record.payload);
  return {
    id: record.id,
    position: record.position,
    status: record.status,
    shipment_id: record.status === 'created' ? record.shipmentUuid : null,
    payload,
    error: record.error,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
