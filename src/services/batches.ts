import type { IdempotencyRef } from '../contracts/create-shipment.js';
import type { RunBatchInput } from '../contracts/run-batch.js';
import type { Database } from '../db/database.js';
import type { LicenseSummary } from '../db/queries/accounts.js';
import type { NewBatchItem } from '../db/queries/batch-items.js';
import {
  cancelBatch,
  findBatch,
  insertBatch,
  refuseBeyondCap,
  refuseBeyondDay,
  requeueFailed,
  TooManyBatchBytes,
  TooManyOpenBatches,
} from '../db/queries/batches.js';
import { findKey } from '../db/queries/idempotency.js';
import {
  type BatchRecord,
  CANCELLED_ITEM,
  MAX_ITEM_BYTES,
  MAX_OPEN_BATCHES,
  OVERSIZED_ITEM,
} from '../domain/batch.js';
import { AppError, notFound } from '../domain/errors.js';
import { keyConflictMessage } from '../domain/shipment.js';
import { uuidV7 } from '../lib/ids.js';
import { nowIso } from '../lib/time.js';

/** A batch as a translation layer hands it over. Items are not validated yet: each is judged in its turn. */
export interface CreateBatchRequest {
  accountId: number;
  /** For items that name none. */
  license: LicenseSummary;
  /** Whether the request named the license, or the account has but one. */
  licenseNamed: boolean;
  idempotency: IdempotencyRef;
  /** JSON texts. */
  items: readonly string[];
  /** Renders the answer; the bytes are stored and sent again on every replay. */
  answer(batch: BatchRecord): { status: number; body: string };
}

/** Send status and body as they are. */
export interface CreateBatchOutcome {
  batchUuid: string;
  status: number;
  body: string;
  replayed: boolean;
}

/** Large batches take minutes. */
const OPEN_RETRY_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * 60;

/** One batch of an account. */
export interface BatchRequest {
  accountId: number;
  uuid: string;
}

/** The use cases of batches. Failures are `AppError`s: `idempotency_key_conflict`, `not_found`, `rate_limited`. */
export interface BatchServices {
  create(request: CreateBatchRequest): Promise<CreateBatchOutcome>;
  /** Asked before a body is read: `rate_limited` where no batch can be stored now and the key has no answer yet. */
  admit(request: Pick<CreateBatchRequest, 'accountId' | 'idempotency'>): Promise<void>;
  /** Failed items become pending again; `rate_limited` where too many batches are open beside a completed one. */
  retry(request: BatchRequest): Promise<BatchRecord>;
  /** Items that were not started fail with `cancelled`. */
  cancel(request: BatchRequest): Promise<BatchRecord>;
}

interface Deps {
  db: Database;
  /** Starts the batch's run or tells the one that is open; false when it could not, and the sweep will. */
  wakeBatch(input: RunBatchInput): Promise<boolean>;
}

/** The use cases with their parts plugged in. */
export function createBatchServices(deps: Deps): BatchServices {
  return {
    create: (request) => createBatch(deps, request),
    async admit({ accountId, idempotency: { api, keyHash } }) {
      const refused = Promise.all([refuseBeyondCap(deps.db, accountId), refuseBeyondDay(deps.db, accountId)]);
      await refused.catch(async (error: unknown) => {
        if ((await findKey(deps.db, { accountId, api, keyHash })) === null) rethrown(error);
      });
    },
    async retry(request) {
      const requeued = await requeueFailed(deps.db, request).catch(rethrown);
      if (requeued === null) throw notFound('batch');
      const batch = await read(deps, request);
      if (batch.summary.pending > 0) await deps.wakeBatch(runInput(batch));
      return batch;
    },
    async cancel(request) {
      const found = await cancelBatch(deps.db, { ...request, error: CANCELLED_ITEM });
      if (!found) throw notFound('batch');
      return await read(deps, request);
    },
  };
}

/** Input of the batch's run. */
export function runInput(batch: BatchRecord): RunBatchInput {
  const { accountId, uuid, licenseId, summary } = batch;
  return { accountId, batchUuid: uuid, licenseId, total: summary.total };
}

/** Stores the batch with all of its items under its key, at most once, and then starts its run. */
async function createBatch(deps: Deps, request: CreateBatchRequest): Promise<CreateBatchOutcome> {
  const items = request.items.map(toNewItem);
  const batch = newBatch(request, items);
  const answer = request.answer(batch);
  const reservation = await insertBatch(deps.db, {
    uuid: batch.uuid,
    accountId: request.accountId,
    licenseId: request.license.id,
    licenseKey: request.license.key,
    licenseNamed: request.licenseNamed,
    idempotency: request.idempotency,
    items,
    createdAt: batch.createdAt,
    answer,
  }).catch(rethrown);
  switch (reservation.kind) {
    case 'key_conflict':
      throw new AppError('idempotency_key_conflict', keyConflictMessage(reservation.shipmentUuid));
    case 'replayed': {
      const { uuid, status, body } = reservation;
      await wakeIfOpen(deps, { accountId: request.accountId, uuid });
      return { batchUuid: uuid, status, body, replayed: true };
    }
    case 'stored':
      if (batch.summary.pending > 0) await deps.wakeBatch(runInput(batch));
      return { batchUuid: batch.uuid, ...answer, replayed: false };
  }
}

/** @throws what it is given; too many open batches, or too much stored today, as `rate_limited` */
function rethrown(error: unknown): never {
  if (error instanceof TooManyBatchBytes) {
    throw new AppError(
      'rate_limited',
      'The account has stored 1 GiB of batches today (UTC), which is as much as it may.',
      { headers: { 'Retry-After': String(secondsUntilTomorrow()) } },
    );
  }
  if (!(error instanceof TooManyOpenBatches)) throw error;
  throw new AppError(
    'rate_limited',
    `The account has ${MAX_OPEN_BATCHES} open batches. Wait until one has ended, or cancel one.`,
    { headers: { 'Retry-After': String(OPEN_RETRY_SECONDS) } },
  );
}

/** In UTC. */
function secondsUntilTomorrow(): number {
  return DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);
}

/** The process that stored the batch may have died before it started the run. */
async function wakeIfOpen(deps: Deps, request: BatchRequest): Promise<void> {
  const batch = await findBatch(deps.db, request);
  if (batch !== null && batch.summary.pending > 0) await deps.wakeBatch(runInput(batch));
}

function toNewItem(payload: string): NewBatchItem {
  const bytes = Buffer.byteLength(payload);
  if (bytes > MAX_ITEM_BYTES) return { payload: null, bytes: 0, error: OVERSIZED_ITEM };
  return { payload, bytes, error: null };
}

function newBatch(request: CreateBatchRequest, items: readonly NewBatchItem[]): BatchRecord {
  const createdAt = nowIso();
  const failed = items.filter((item) => item.error !== null).length;
  return {
    id: 0,
    uuid: uuidV7(),
    accountId: request.accountId,
    licenseId: request.license.id,
    summary: { total: items.length, created: 0, failed, pending: items.length - failed },
    payloadBytes: 0,
    cancelledAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}

async function read(deps: Deps, request: BatchRequest): Promise<BatchRecord> {
  const batch = await findBatch(deps.db, request);
  if (batch === null) throw notFound('batch');
  return batch;
}
