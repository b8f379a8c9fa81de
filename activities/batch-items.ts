import { Context } from '@temporalio/activity';
import type { Creation } from '../src/contracts/create-shipment.js';
import type { BatchChunk, BatchRef } from '../src/contracts/run-batch.js';
import { type Database, isUnavailable } from '../src/db/database.js';
import type { LicenseSummary } from '../src/db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../src/db/queries/accounts/credentials.js';
import { type ClaimedItem, claimItems } from '../src/db/queries/batches/batch-progress.js';
import { findBatch } from '../src/db/queries/batches/batches.js';
import { type BatchRecord, type BatchSummary, CANCELLED_ITEM } from '../src/domain/batch.js';
import { AppError } from '../src/domain/errors.js';
import { Slots } from '../src/lib/limits/slots.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { TimeLimit } from '../src/lib/time-limit.js';
import type { Window } from '../src/lib/window.js';
import type { App } from '../src/services/app.js';
import {
  type CreateShipmentRequest,
  createShipment,
  StoppedWithBatch,
} from '../src/services/creation/create-shipment.js';
import { creationIdOf } from '../src/temporal/starters.js';
import { ItemPast } from './batch-item-past.js';
import { present } from './batch-records.js';
import { ResultWriter } from './batch-results.js';
import { withHeartbeat } from './heartbeat.js';
import { noPlace } from './next-try.js';

/** Result of one pass. `resolved`: items that got an outcome. */
type ChunkResult = { resolved: number; summary: BatchSummary };

/** `createWaitMs`: how long one creation may keep its slot. */
export interface BatchItemApp
  extends Pick<
    App<'createWaitMs' | 'idempotencyKeyDays' | 'fingerprintHours'>,
    'db' | 'temporal' | 'config' | 'carriers' | 'wake' | 'onRestored'
  > {
  /** Slots for running creations by license, shared by all batches of this process. */
  window(name: string): Window;
  /** Items of a chunk processed in parallel. */
  lanes: number;
}

export function createBatchItemActivities(app: BatchItemApp) {
  const accounts = new Slots({ perKey: LIMITS.batches.ofAccountAtOnce });
  return {
    /**
     * Creates a chunk's pending shipments, some in parallel, and writes outcomes in bulk. Repeatable: finds
     * what each item's key created. Slow creations stay pending.
     */
    async runItems(args: BatchRef & BatchChunk): Promise<ChunkResult> {
      const leave = accounts.tryTake(String(args.accountId));
      if (leave === null) {
        throw noPlace(
          'AccountHasItsShare',
          'Other batches of the account are being worked on',
          LIMITS.batches.noPlaceMs,
        );
      }
      try {
        return await runChunk(app, args);
      } finally {
        leave();
      }
    },
  };
}

async function runChunk(app: BatchItemApp, args: BatchRef & BatchChunk): Promise<ChunkResult> {
  const { accountId, batchUuid: uuid } = args;
  const batch = present(await findBatch(app.db, { accountId, uuid }));
  const pass = new ChunkPass(app, batch, args, await listLicenseSummaries(app.db, accountId));
  const resolved = await withHeartbeat(() => pass.run());
  const { summary } = present(await findBatch(app.db, { accountId, uuid }));
  return { resolved, summary };
}

class ChunkPass {
  readonly #app: BatchItemApp;
  readonly #feed: AsyncGenerator<ClaimedItem, undefined>;
  readonly #writer: ResultWriter;
  readonly #past: ItemPast;
  readonly #context = Context.current();
  readonly #budget = new TimeLimit(LIMITS.batches.passMs);
  /**
   * Items that an earlier pass waited for. They come last: with a hanging host, waiting for them again would
   * take every pass's time from the other items.
   */
  readonly #reserved: ClaimedItem[] = [];
  #stopped = false;

  constructor(app: BatchItemApp, batch: BatchRecord, chunk: BatchChunk, licenses: readonly LicenseSummary[]) {
    this.#app = app;
    this.#feed = claimedItems(app.db, batch.id, chunk);
    this.#writer = new ResultWriter(app.db, batch.id);
    this.#past = new ItemPast(app, batch, licenses, this.#writer);
  }

  async run(): Promise<number> {
    const lanes = Array.from({ length: this.#app.lanes }, () => this.#lane());
    const ends = await Promise.allSettled(lanes);
    const resolved = await this.#writer.close();
    if (this.#context.cancellationSignal.aborted) await this.#context.cancelled;
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return resolved;
  }

  async #lane(): Promise<void> {
    try {
      while (!this.#isOver()) {
        const { value: next } = await this.#feed.next();
        const item = next ?? this.#reserved.shift();
        if (item === undefined) return;
        await this.#settle(item, next !== undefined);
      }
    } catch (error) {
      this.#stopped = true;
      throw error;
    }
  }

  #isOver(): boolean {
    return this.#stopped || this.#context.cancellationSignal.aborted || this.#budget.isOver;
  }

  async #settle(item: ClaimedItem, isFirstLook: boolean): Promise<void> {
    let started: Creation | undefined;
    try {
      const end = await this.#past.endOf(item);
      if (this.#past.hasEnded(item, end)) return;
      if (isFirstLook && item.shipmentUuid !== null) {
        this.#reserved.push(item);
        return;
      }
      const { request, refusal } = this.#past.read(item);
      if (request === null) {
        if (end.kind !== 'open' && !(await this.#past.isStartedUnread(item))) throw refusal;
        return;
      }
      const { creation } = request;
      // Only its shipment decides: under another workflow id it would be booked again.
      if (end.kind === 'open' && end.workflowId !== creationIdOf(creation)) return;
      if (await this.#past.isCreatedBefore(item, creation)) return;
      if (refusal !== undefined && !(await this.#past.isStarted(item, creation))) throw refusal;
      // By license, because each may have another host: a hanging one must not block other batches.
      const { carrier, licenseId } = creation;
      const window = this.#app.window(`${carrier.provider}/${licenseId}`);
      started = creation;
      await window.use(() => this.#create(item, request, window));
    } catch (error) {
      if (error instanceof StoppedWithBatch) {
        const { id, startedAt } = item;
        this.#writer.add({ id, startedAt, kind: 'stopped', error: CANCELLED_ITEM });
        return;
      }
      if (isTransient(error) || this.#context.cancellationSignal.aborted) throw error;
      // Our own errors say nothing about a running creation.
      if (
        !(error instanceof AppError) &&
        started !== undefined &&
        (await this.#past.isStarted(item, started))
      )
        return;
      this.#writer.add({ id: item.id, kind: 'failed', error: toItemError(error) });
    }
  }

  async #create(item: ClaimedItem, request: CreateShipmentRequest, window: Window): Promise<void> {
    // The slot may have come late: with a hanging host, all lanes of a worker wait for one.
    if (this.#isOver()) return;
    if (!item.fresh) await this.#past.freeOfCancelled(request.creation);
    const startedAt = performance.now();
    // Everything has started before the pass ends: the next one would take an item without a run for a new one.
    const stopping = this.#context.cancellationSignal;
    const outcome = await createShipment({ ...this.#app, stopping }, request).catch((error: unknown) => {
      if (isRejection(error)) window.took(performance.now() - startedAt);
      throw error;
    });
    const { id } = item;
    if (outcome.kind === 'pending') {
      this.#writer.add({ id, kind: 'reserved', shipmentUuid: outcome.shipment.uuid });
      return;
    }
    if (!outcome.replayed) window.took(performance.now() - startedAt);
    this.#writer.add({ id, kind: 'created', shipmentUuid: outcome.shipmentUuid });
  }
}

/** The chunk's items one by one, claimed in groups. */
async function* claimedItems(
  db: Database,
  batchId: number,
  { from, to }: BatchChunk,
): AsyncGenerator<ClaimedItem, undefined> {
  let after = from - 1;
  for (;;) {
    const page = await claimItems(db, { batchId, after, to, limit: LIMITS.batches.claimed });
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    after = last.position;
  }
}

/** Whether the item has no outcome and must be retried. */
function isTransient(error: unknown): boolean {
  return (error instanceof AppError && error.code === 'service_unavailable') || isUnavailable(error);
}

/** Whether the carrier was asked, as in a successful creation. */
function isRejection(error: unknown): boolean {
  return error instanceof AppError && error.code === 'carrier_rejected';
}

function toItemError(error: unknown) {
  if (!(error instanceof AppError)) {
    return { code: 'internal_error', message: 'The server failed to handle the item.' };
  }
  const { code, message, fields } = error;
  return { code, message, ...(fields === undefined ? {} : { fields }) };
}
