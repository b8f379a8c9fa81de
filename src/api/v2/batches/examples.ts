import { createExample, shipmentExample } from '../examples.js';
import type { Batch, BatchItem } from './schema.js';

/** A batch in progress. */
export const batchExample = {
  id: '019aa5a6-9b1c-7f2a-8e10-5d0c6b7a8f90',
  status: 'processing',
  summary: { total: 3, created: 1, failed: 1, pending: 1 },
  created_at: '2026-11-21T09:31:00.123456Z',
  updated_at: '2026-11-21T09:31:01.000200Z',
} satisfies Batch;

/** A new batch. */
export const queuedExample = {
  ...batchExample,
  status: 'queued',
  summary: { total: 3, created: 0, failed: 0, pending: 3 },
  updated_at: batchExample.created_at,
} satisfies Batch;

export const itemExample = {
  id: 4711,
  position: 0,
  status: 'created',
  shipment_id: shipmentExample.uuid,
  payload: createExample,
  error: null,
  created_at: '2026-11-21T09:31:00.123456Z',
  updated_at: '2026-11-21T09:31:01.000200Z',
} satisfies BatchItem;

export const failedItemExample = {
  ...itemExample,
  id: 4712,
  position: 1,
  status: 'failed',
  shipment_id: null,
  payload: { order: { id: '1002' } },
  error: {
    code: 'validation_failed',
    message: 'The ship_data field is required.',
    fields: { ship_data: ['The ship_data field is required.'] },
  },
} satisfies BatchItem;
