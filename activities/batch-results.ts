import type { Database } from '../src/db/database.js';
import { type ItemResult, recordItems } from '../src/db/queries/batches/batch-progress.js';

const WRITE_EVERY_MS = 150;

/** Writes results in bulk, shortly after the first one. */
export class ResultWriter {
  readonly #db: Database;
  readonly #batchId: number;
  #waiting: ItemResult[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #resolved = 0;
  #trouble: unknown;

  constructor(db: Database, batchId: number) {
    this.#db = db;
    this.#batchId = batchId;
  }

  add(result: ItemResult): void {
    this.#waiting.push(result);
    this.#timer ??= setTimeout(() => this.#write(), WRITE_EVERY_MS);
  }

  /** Writes pending results and returns the number of items with an outcome. @throws the error of a write */
  async close(): Promise<number> {
    this.#write();
    await this.#writing;
    if (this.#trouble !== undefined) throw this.#trouble;
    return this.#resolved;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const results = this.#waiting;
    this.#waiting = [];
    if (results.length === 0) return;
    this.#writing = this.#writing.then(async () => {
      try {
        this.#resolved += await recordItems(this.#db, this.#batchId, results);
      } catch (error) {
        this.#trouble = error;
      }
    });
  }
}
