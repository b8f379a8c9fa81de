import { type FieldErrors, problem } from './problems/problem.js';

/** Number of a batch's items by status. */
export interface BatchSummary {
  total: number;
  created: number;
  failed: number;
  pending: number;
}

/** A batch of creations. Timestamps: ISO 8601 UTC with microseconds. */
export interface BatchRecord {
  /** Row id, the sort key of lists and cursors. */
  id: number;
  uuid: string;
  accountId: number;
  licenseId: number;
  /** From the request: items are bound to this text even if the license's key changes. */
  licenseKey: string;
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

/** An item as it was sent. */
export interface SentItem {
  /** JSON text. */
  payload: string;
  /** Of its creation, SHA-256 in hex. */
  fingerprint: string;
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
export function batchStatus({ total, pending }: BatchSummary): 'queued' | 'processing' | 'completed' {
  if (pending === 0) return 'completed';
  return pending === total ? 'queued' : 'processing';
}

/** The error of items that were pending when the batch was cancelled. */
export const CANCELLED_ITEM = {
  code: 'cancelled',
  message: problem('batch_cancelled').text,
} as const satisfies BatchItemError;
