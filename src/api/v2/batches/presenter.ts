import {
  type BatchItemError,
  type BatchItemRecord,
  type BatchRecord,
  batchStatus,
} from '../../../domain/batch.js';
import { textsOf } from '../../../domain/problems/problem.js';
import { withStored } from '../../stored-json.js';
import type { Batch, BatchItem } from './schema.js';

/** A batch without items. */
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

function presentError({ fields, ...error }: BatchItemError): BatchItem['error'] {
  return { ...error, ...(fields === undefined ? {} : { fields: textsOf(fields) }) };
}

/** A batch with its items, as JSON text. */
export function batchWithItemsText(record: BatchRecord, items: readonly BatchItemRecord[]): string {
  const texts = items.map(batchItemText);
  return `${JSON.stringify(presentBatch(record)).slice(0, -1)},"items":[${texts.join(',')}]}`;
}

/** An item with its stored body, as JSON text. */
export function batchItemText(record: BatchItemRecord): string {
  const { payload } = record;
  const item: BatchItem = {
    id: record.id,
    position: record.position,
    status: record.status,
    shipment_id: record.status === 'created' ? record.shipmentUuid : null,
    payload: payload === null ? null : {},
    error: record.error === null ? null : presentError(record.error),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
  return payload === null ? JSON.stringify(item) : withStored(item, [['payload', payload]]);
}
