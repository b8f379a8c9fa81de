import type { BatchSummary } from '../domain/batch.js';

/** Identifies a batch; input of its activities. */
export interface BatchRef {
  accountId: number;
  batchUuid: string;
}

/** Ids only: the items are in MySQL. */
export interface RunBatchInput extends BatchRef {
  licenseId: number;
  total: number;
}

/** Ends when no item is pending. */
export type RunBatch = (input: RunBatchInput) => Promise<BatchSummary>;

/** Range of a batch's positions, inclusive. */
export interface BatchChunk {
  from: number;
  to: number;
}

/** Remaining work of a batch. */
export interface BatchPlan {
  chunks: BatchChunk[];
  summary: BatchSummary;
}

/** Result of one pass. `resolved`: items that got an outcome. */
export interface ChunkResult {
  resolved: number;
  summary: BatchSummary;
}

/** Signal to a batch's run: items wait again. */
export const BATCH_WOKEN = 'woken';
