import { Context } from '@temporalio/activity';
import { itemKey, orderIdOf, readBatchItem } from '../src/api/v2/batches/item.js';
import type { BatchChunk, BatchRef } from '../src/contracts/run-batch.js';
import { type Database, isUnavailable } from '../src/db/database.js';
import type { LicenseSummary } from '../src/db/queries/accounts/accounts.js';
import { listLicenseSummaries } from '../src/db/queries/accounts/credentials.js';
import {
  type ClaimedItem,
  claimItems,
  type ItemShipment,
  listItemShipments,
} from '../src/db/queries/batches/batch-progress.js';
import { findBatch } from '../src/db/queries/batches/batches.js';
import { type BatchRecord, type BatchSummary, CANCELLED_ITEM } from '../src/domain/batch.js';
import { AppError } from '../src/domain/errors.js';
import { Slots } from '../src/lib/limits/slots.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { HOUR_MS } from '../src/lib/time.js';
import { TimeLimit } from '../src/lib/time-limit.js';
import type { Window } from '../src/lib/window.js';
import type { App } from '../src/services/app.js';
import { freeUnsent } from '../src/services/creation/abandoned-creations.js';
import {
  type CreateShipmentRequest,
  createShipment,
  isCreationRunning,
  StoppedWithBatch,
} from '../src/services/creation/create-shipment.js';
import { creationIdOf } from '../src/temporal/starters.js';
import { present } from './batch-records.js';
import { ResultWriter } from './batch-results.js';
import { withHeartbeat } from './heartbeat.js';
import { decideItem } from './item-decision.js';
import { noPlace } from './next-try.js';

const NO_PLACE_MS = 5000;
const PASS_MS = 300_000;

/** More than the clocks of hosts and database differ. */
const CLOCK_MARGIN_HOURS = 1;

/** Result of one pass. `resolved`: items that got an outcome. */
type ChunkResult = { resolved: number; summary: BatchSummary };

/** `createWaitMs`: how long one creation may keep its slot. */
export interface BatchItemApp
  extends Pick<
    App<'createWaitMs' | 'idempotencyKeyDays' | 'fingerprintHours'>,
    'db' | 'temporal' | 'config' | 'carriers' | 'wake' | 'onRestored' | 'lostLooks'
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
        throw noPlace('AccountHasItsShare', 'Other batches of the account are being worked on', NO_PLACE_MS);
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
  readonly #batch: BatchRecord;
  readonly #licenses: readonly LicenseSummary[];
  readonly #feed: AsyncGenerator<ClaimedItem, undefined>;
  readonly #writer: ResultWriter;
  readonly #context = Context.current();
  readonly #budget = new TimeLimit(PASS_MS);
  /**
   * Items that an earlier pass waited for. They come last: with a hanging host, waiting for them again would
   * take every pass's time from the other items.
   */
  readonly #deferred: ClaimedItem[] = [];
  #stopped = false;

  constructor(app: BatchItemApp, batch: BatchRecord, chunk: BatchChunk, licenses: readonly LicenseSummary[]) {
    this.#app = app;
    this.#batch = batch;
    this.#licenses = licenses;
    this.#feed = claimedItems(app.db, batch.id, chunk);
    this.#writer = new ResultWriter(app.db, batch.id);
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
        const item = next ?? this.#deferred.shift();
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
    const { id, startedAt, shipmentUuid: noted } = item;
    const { request, refusal } = this.#read(item);
    try {
      const past = await this.#pastOf(item, request === null);
      const step = decideItem({ noted, ...past, isUsable: request !== null, isFirstLook });
      if (step.do === 'record') this.#writer.add({ id, ...step.outcome });
      else if (step.do === 'defer') this.#deferred.push(item);
      else if (step.do === 'refuse') throw refusal;
      else if (step.do === 'create' && request !== null) await this.#create(item, request, step.open);
    } catch (error) {
      if (error instanceof StoppedWithBatch) {
        this.#writer.add({ id, startedAt, kind: 'stopped', error: CANCELLED_ITEM });
        return;
      }
      if (isTransient(error) || this.#context.cancellationSignal.aborted) throw error;
      // Our own errors say nothing about a running creation.
      if (!(error instanceof AppError) && (await this.#isUnderWay(item))) return;
      this.#writer.add({ id, kind: 'failed', error: toItemError(error) });
    }
  }

  /** `refusal`: why the item cannot be created, for instance because its license has expired. */
  #read(item: ClaimedItem): { request: CreateShipmentRequest | null; refusal?: unknown } {
    const context = { ...this.#batch, batchUuid: this.#batch.uuid, licenses: this.#licenses };
    try {
      return { request: readBatchItem(item, context, this.#app.config) };
    } catch (refusal) {
      return { request: null, refusal };
    }
  }

  /**
   * The state that earlier passes, or the same body sent alone, have left. Nothing is looked up for an item that was not started
   * while its key lives: the creation finds that one by itself.
   */
  async #pastOf(
    item: ClaimedItem,
    asksEngine: boolean,
  ): Promise<{ shipments: readonly ItemShipment[]; isRunning: boolean }> {
    const { db, config } = this.#app;
    const { accountId, licenseId, createdAt: since } = this.#batch;
    const keptMs = (config.fingerprintHours - CLOCK_MARGIN_HOURS) * HOUR_MS;
    const isNew = item.fresh && Date.now() - Date.parse(since) < keptMs;
    const orderId = isNew ? undefined : orderIdOf(item);
    if (orderId === undefined) return { shipments: [], isRunning: false };
    const idempotency = itemKey(item.fingerprint, since, config);
    const workflowId = creationIdOf({ accountId, licenseId, idempotency });
    // Asked first: a run writes its rows before it ends.
    const isRunning = asksEngine && (await isCreationRunning(this.#app, workflowId));
    const { shipmentUuid: noted } = item;
    const shipments = await listItemShipments(db, { accountId, orderId, workflowId, noted, since });
    return { shipments, isRunning };
  }

  async #isUnderWay(item: ClaimedItem): Promise<boolean> {
    const { shipments, isRunning } = await this.#pastOf({ ...item, fresh: false }, true);
    return isRunning || shipments.some(({ state }) => state !== 'refused');
  }

  /** `open`: the shipment that the creation has reserved. */
  async #create(item: ClaimedItem, request: CreateShipmentRequest, open: string | undefined): Promise<void> {
    const { id } = item;
    const { carrier, licenseId } = request.creation;
    // By license, because each may have another host: a hanging one must not block other batches.
    const window = this.#app.window(`${carrier.provider}/${licenseId}`);
    await window.use(async () => {
      // The slot may have come late: with a hanging host, all lanes of a worker wait for one.
      if (this.#isOver()) return;
      if (open !== undefined && this.#batch.cancelledAt !== null) {
        // A reservation whose creation was ended from outside before sending is refused when started again.
        await freeUnsent(this.#app, { uuid: open, workflowId: creationIdOf(request.creation) });
      }
      const startedAt = performance.now();
      // Everything has started before the pass ends: the next one would take an item without a run for a new one.
      const stopping = this.#context.cancellationSignal;
      const outcome = await createShipment({ ...this.#app, stopping }, request).catch((error: unknown) => {
        if (isRejection(error)) window.took(performance.now() - startedAt);
        throw error;
      });
      if (outcome.kind === 'pending') {
        this.#writer.add({ id, kind: 'reserved', shipmentUuid: outcome.shipment.uuid });
        return;
      }
      if (!outcome.replayed) window.took(performance.now() - startedAt);
      this.#writer.add({ id, kind: 'created', shipmentUuid: outcome.shipmentUuid });
    });
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
    const page = await claimItems(db, { batchId, after, to, limit: 10 });
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
