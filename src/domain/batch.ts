import type { FieldErrors } from './errors.js';

/** Batches of an account that may have pending items at the same time: one merchant's must not fill the store. */
export const MAX_OPEN_BATCHES = 100;

/** Bytes that an account may store by batches in a day (UTC): they are kept for as long as the batches are. */
export const MAX_BATCH_BYTES_A_DAY = 1024 ** 3;

/** What an item takes beside its body. */
export const ITEM_OVERHEAD_BYTES = 512;

/** Items of one batch, at most. */
export const MAX_BATCH_ITEMS = 2000;

/** Largest item in bytes of JSON: the largest body of `POST /shipments`. */
export const MAX_ITEM_BYTES = 1024 * 1024;

/** Items that are worked on as one step of a batch's run. */
export const BATCH_CHUNK_SIZE = 100;

/** How many items of a batch stand where. */
export interface BatchSummary {
  total: number;
  created: number;
  failed: number;
  pending: number;
}

export type BatchStatus = 'queued' | 'processing' | 'completed';

/** A batch of creations. Timestamps: ISO 8601 UTC with microseconds. */
export interface BatchRecord {
  /** Row id; lists and cursors go by it. */
  id: number;
  uuid: string;
  accountId: number;
  licenseId: number;
  summary: BatchSummary;
  /** Bytes of all items' bodies. */
  payloadBytes: number;
  cancelledAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export const BATCH_ITEM_STATUSES = ['pending', 'created', 'failed'] as const;
export type BatchItemStatus = (typeof BATCH_ITEM_STATUSES)[number];

/** Why an item failed: the code, message and fields that `POST /shipments` would answer. */
export interface BatchItemError {
  code: string;
  message: string;
  fields?: FieldErrors;
}

/** One creation of a batch. */
export interface BatchItemRecord {
  id: number;
  batchId: number;
  /** Place in the submitted array, from 0. */
  position: number;
  status: BatchItemStatus;
  shipmentUuid: string | null;
  /** The body as submitted, as JSON text; null when it was too large to keep. */
  payload: string | null;
  error: BatchItemError | null;
  createdAt: string;
  updatedAt: string;
}

/** `queued` until an item has its outcome, `completed` when all have. */
export function batchStatus({ total, pending }: BatchSummary): BatchStatus {
  if (pending === 0) return 'completed';
  return pending === total ? 'queued' : 'processing';
}

/** The error of items that a cancellation met before their turn. */
export const CANCELLED_ITEM: BatchItemError = {
  code: 'cancelled',
  message: 'The batch was cancelled before the item was started.',
};

/** The error of an item that no single request could carry. */
export const OVERSIZED_ITEM: BatchItemError = {
  code: 'payload_too_large',
  message: `The item is larger than ${MAX_ITEM_BYTES} bytes.`,
};
