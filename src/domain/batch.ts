import type { FieldErrors } from './errors.js';

/** Maximum batches of an account with pending items: one merchant must not fill the store. */
export const MAX_OPEN_BATCHES = 100;

/** Bytes of batches that an account may store per day (UTC). */
export const MAX_BATCH_BYTES_A_DAY = 1024 ** 3;

/** Bytes counted for an item beside its body. */
export const ITEM_OVERHEAD_BYTES = 512;

/** Maximum items of one batch. */
export const MAX_BATCH_ITEMS = 2000;

/** Maximum JSON bytes of an item: the body limit of `POST /shipments`. */
export const MAX_ITEM_BYTES = 1024 * 1024;

/** Items per activity of a batch's run. */
export const BATCH_CHUNK_SIZE = 100;

/** Number of a batch's items by status. */
export interface BatchSummary {
  total: number;
  created: number;
  failed: number;
  pending: number;
}

export type BatchStatus = 'queued' | 'processing' | 'completed';

/** A batch of creations. Timestamps: ISO 8601 UTC with microseconds. */
export interface BatchRecord {
  /** Row id, the sort key of lists and cursors. */
  id: number;
  uuid: string;
  accountId: number;
  licenseId: number;
  summary: BatchSummary;
  /** Bytes of all bodies. */
  payloadBytes: number;
  cancelledAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export const BATCH_ITEM_STATUSES = ['pending', 'created', 'failed'] as const;
export type BatchItemStatus = (typeof BATCH_ITEM_STATUSES)[number];

/** Why an item failed, as `POST /shipments` would answer it. */
export interface BatchItemError {
  code: string;
  message: string;
  fields?: FieldErrors;
}

export interface BatchItemRecord {
  id: number;
  batchId: number;
  /** Index in the submitted array, from 0. */
  position: number;
  status: BatchItemStatus;
  shipmentUuid: string | null;
  /** The submitted body as JSON text; null when it was too large to keep. */
  payload: string | null;
  error: BatchItemError | null;
  createdAt: string;
  updatedAt: string;
}

/** `queued` until an item has its outcome, `completed` when all have one. */
export function batchStatus({ total, pending }: BatchSummary): BatchStatus {
  if (pending === 0) return 'completed';
  return pending === total ? 'queued' : 'processing';
}

/** The error of items that were pending when the batch was cancelled. */
export const CANCELLED_ITEM: BatchItemError = {
  code: 'cancelled',
  message: 'The batch was cancelled before the item was started.',
};

/** The error of an item larger than a single request may be. */
export const OVERSIZED_ITEM: BatchItemError = {
  code: 'payload_too_large',
  message: `The item is larger than ${MAX_ITEM_BYTES} bytes.`,
};
