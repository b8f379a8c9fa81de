import type { BatchChunk } from '../src/contracts/run-batch.js';
import type { Database } from '../src/db/database.js';
import { type ClaimedItem, claimItems } from '../src/db/queries/batch-progress.js';

const CLAIM_AT_ONCE = 10;

/** Hands out the chunk's items one by one, claimed some at a time. */
export class ItemFeed {
  readonly #db: Database;
  readonly #batchId: number;
  readonly #to: number;
  #after: number;
  #page: ClaimedItem[] = [];
  #loading: Promise<void> | undefined;
  #isOver = false;

  constructor(db: Database, batchId: number, chunk: BatchChunk) {
    this.#db = db;
    this.#batchId = batchId;
    this.#after = chunk.from - 1;
    this.#to = chunk.to;
  }

  /** The next item; undefined when there is none. */
  async next(): Promise<ClaimedItem | undefined> {
    for (;;) {
      const item = this.#page.shift();
      if (item !== undefined || this.#isOver) return item;
      this.#loading ??= this.#load().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  async #load(): Promise<void> {
    this.#page = await claimItems(this.#db, {
      batchId: this.#batchId,
      after: this.#after,
      to: this.#to,
      limit: CLAIM_AT_ONCE,
    });
    this.#after = this.#page.at(-1)?.position ?? this.#to;
    this.#isOver = this.#page.length === 0;
  }
}
