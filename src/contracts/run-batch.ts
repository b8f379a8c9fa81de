import type { BatchSummary } from '../domain/batch.js';

/** Names one batch. Input of its activities. */
export interface BatchRef {
  accountId: number;
  batchUuid: string;
}

/** Input of the workflow `runBatch`: ids only, the items are in MySQL. */
export interface RunBatchInput extends BatchRef {
  licenseId: number;
  total: number;
}

/** The workflow `runBatch`; ends when no item is pending. */
export type RunBatch = (input: RunBatchInput) => Promise<BatchSummary>;

/** Positions of a batch, both included. */
export interface BatchChunk {
  from: number;
  to: number;
}

/** What is left of a batch. */
export interface BatchPlan {
  chunks: BatchChunk[];
  summary: BatchSummary;
}

/** What one pass over a chunk did. `resolved`: items that got their outcome. */
export interface ChunkResult {
  resolved: number;
  summary: BatchSummary;
}

/** Name of the Signal that tells a batch's run that items are waiting again. */
export const BATCH_WOKEN = 'woken';
