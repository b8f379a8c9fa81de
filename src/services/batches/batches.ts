import type { IdempotencyRef } from '../../contracts/create-shipment.js';
import type { RunBatchInput } from '../../contracts/run-batch.js';
import { isDuplicateKey } from '../../db/database.js';
import type { LicenseSummary } from '../../db/queries/accounts/accounts.js';
import type { NewBatchItem } from '../../db/queries/batches/batch-items.js';
import {
  cancelBatch as cancelItems,
  findBatch,
  insertBatch,
  refuseBeyondCap,
  refuseBeyondDay,
  requeueFailed,
  TooManyBatchBytes,
  TooManyOpenBatches,
} from '../../db/queries/batches/batches.js';
import { findKey } from '../../db/queries/creation/idempotency.js';
import { findRunNames } from '../../db/queries/shipments/run-names.js';
import { type BatchRecord, CANCELLED_ITEM, type SentItem } from '../../domain/batch.js';
import { AppError, keyConflict, notFound } from '../../domain/errors.js';
import { uuidOfText, uuidV7 } from '../../lib/ids.js';
import { LIMITS } from '../../lib/limits/values.js';
import { DAY_SECONDS, nowIso } from '../../lib/time.js';
import { tryWakeBatch } from '../../temporal/starters.js';
import type { App } from '../app.js';

/** A batch from a translation layer. Its items are validated later, one by one. */
interface CreateBatchRequest {
  accountId: number;
  /** For items that name no license. */
  license: LicenseSummary;
  idempotency: IdempotencyRef;
  items: readonly SentItem[];
  /** Renders the response, which is stored and repeated by every replay. */
  answer(batch: BatchRecord): { status: number; body: string };
}

type BatchRequest = Pick<BatchRecord, 'accountId' | 'uuid'>;

type BatchApp = Pick<App, 'db' | 'temporal'>;

/**
 * Checks the limits before a body is read. @throws AppError `rate_limited` when no batch can be stored now and
 * the key has no answer yet
 */
export async function admitBatch(
  { db }: Pick<App, 'db'>,
  { accountId, idempotency: { api, keyHash } }: Pick<CreateBatchRequest, 'accountId' | 'idempotency'>,
): Promise<void> {
  const refused = Promise.all([refuseBeyondCap(db, accountId), refuseBeyondDay(db, accountId)]);
  await refused.catch(async (error: unknown) => {
    if ((await findKey(db, { accountId, api, keyHash })) === null) rethrown(error);
  });
}

/**
 * Makes failed items pending again. @throws AppError `not_found`, or `rate_limited` when reopening a completed
 * batch exceeds the limit of open ones
 */
export async function retryBatch(app: BatchApp, request: BatchRequest): Promise<BatchRecord> {
  const requeued = await requeueFailed(app.db, request).catch(rethrown);
  if (requeued === null) throw notFound('batch');
  const batch = await read(app, request);
  await wakeIfOpen(app, batch);
  return batch;
}

/** Cancels a batch: items not yet started fail with `cancelled`. @throws AppError `not_found` */
export async function cancelBatch(app: Pick<App, 'db'>, request: BatchRequest): Promise<BatchRecord> {
  const found = await cancelItems(app.db, { ...request, error: CANCELLED_ITEM });
  if (!found) throw notFound('batch');
  return await read(app, request);
}

/** Input of the batch's run. */
export function runInput(batch: BatchRecord): RunBatchInput {
  const { accountId, uuid, licenseId, summary } = batch;
  return { accountId, batchUuid: uuid, licenseId, total: summary.total };
}

/**
 * Stores the batch and its items under its key, at most once, then starts its run. Returns the response to send
 * unchanged. @throws AppError `idempotency_key_conflict`, `rate_limited`
 */
export async function createBatch(
  app: BatchApp,
  request: CreateBatchRequest,
): Promise<{ batchUuid: string; status: number; body: string; replayed: boolean }> {
  const items = request.items.map(toNewItem);
  const { accountId, idempotency } = request;
  const { api, keyHash } = idempotency;
  // A repeat after the database has lost the batch makes the one that its caller knows. Its items are found by their
  // keys.
  const ofKey = uuidOfText(`${accountId}/${api}/${keyHash}`);
  const made = await store(app, request, items, ofKey).catch(async (error: unknown) => {
    // An earlier batch whose key has expired.
    if (isDuplicateKey(error)) return await store(app, request, items, uuidV7());
    throw error;
  });
  const { reservation, batch, answer } = made;
  switch (reservation.kind) {
    case 'key_conflict':
      throw keyConflict(reservation.shipmentUuid);
    case 'replayed': {
      const { uuid, status, body } = reservation;
      // The process that stored the batch may have died before starting the run.
      const known = await findBatch(app.db, { accountId, uuid });
      if (known !== null) await wakeIfOpen(app, known);
      return { batchUuid: uuid, status, body, replayed: true };
    }
    case 'stored':
      await wakeIfOpen(app, batch);
      return { batchUuid: batch.uuid, ...answer, replayed: false };
  }
}

async function store(
  { db }: BatchApp,
  request: CreateBatchRequest,
  items: readonly NewBatchItem[],
  uuid: string,
) {
  const { idempotency } = request;
  const batch = newBatch(request, items, uuid);
  const answer = request.answer(batch);
  const reservation = await insertBatch(db, { batch, items, idempotency, answer }).catch(rethrown);
  return { reservation, batch, answer };
}

/** Rethrows an error, exceeded batch limits as `rate_limited`. */
function rethrown(error: unknown): never {
  if (error instanceof TooManyBatchBytes) {
    const secondsUntilTomorrow = DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);
    const message = 'The daily limit of 1 GiB of batches is reached. It resets at 00:00 UTC.';
    throw rateLimited(message, secondsUntilTomorrow);
  }
  if (!(error instanceof TooManyOpenBatches)) throw error;
  const { openOfAccount } = LIMITS.batches;
  const message = `The account has ${openOfAccount} open batches. Wait until one has ended, or cancel one.`;
  throw rateLimited(message, 60);
}

function rateLimited(message: string, retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}

/** Starts the batch's run or signals the open one; if the engine is unavailable, the sweep does it. */
async function wakeIfOpen({ db, temporal }: BatchApp, batch: BatchRecord): Promise<void> {
  if (batch.summary.pending === 0) return;
  await tryWakeBatch(temporal, runInput(batch), await findRunNames(db, batch.licenseId));
}

function toNewItem({ payload, fingerprint }: SentItem): NewBatchItem {
  const bytes = Buffer.byteLength(payload);
  if (bytes > LIMITS.batches.itemBytes) {
    const message = `The item is larger than ${LIMITS.batches.itemBytes} bytes.`;
    return { payload: null, fingerprint, bytes: 0, error: { code: 'payload_too_large', message } };
  }
  return { payload, fingerprint, bytes, error: null };
}

function newBatch(request: CreateBatchRequest, items: readonly NewBatchItem[], uuid: string): BatchRecord {
  const createdAt = nowIso();
  const failed = items.filter((item) => item.error !== null).length;
  return {
    id: 0,
    uuid,
    accountId: request.accountId,
    licenseId: request.license.id,
    licenseKey: request.license.key,
    summary: { total: items.length, created: 0, failed, pending: items.length - failed },
    payloadBytes: items.reduce((sum, item) => sum + item.bytes, 0),
    cancelledAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}

async function read(app: Pick<App, 'db'>, request: BatchRequest): Promise<BatchRecord> {
  const batch = await findBatch(app.db, request);
  if (batch === null) throw notFound('batch');
  return batch;
}
