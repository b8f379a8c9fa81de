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

/** Range of a batch's positions, inclusive. */
export interface BatchChunk {
  from: number;
  to: number;
}

/** Signal to a batch's run: items wait again. */
export const BATCH_WOKEN = 'woken';
