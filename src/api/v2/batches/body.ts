import type { SentItem } from '../../../domain/batch.js';
import { AppError } from '../../../domain/errors.js';
import { isObject, stringAt } from '../../../lib/json.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { fingerprintOf } from '../../idempotency.js';
import { parseJson, type RequestBody } from '../../json-body.js';
import { creationFingerprint } from '../shipments/sent-body.js';

const IN_ITEM = /^(?:shipments\.)?\d+(?:\.|$)/;

/** The creation's method and path, part of its fingerprint. */
const CREATE_BATCH = { method: 'POST', route: '/api/v2/batches' };

/**
 * Reads a batch: an object with `shipments`, or a bare array, whose license in the query is part of the fingerprint.
 * `value` holds each item as a {@link SentItem}; the parsed items are dropped. @throws AppError as `parseJson`
 */
export function readBatchBody(bytes: Buffer, licenseKeyInQuery: string | undefined): Required<RequestBody> {
  const { value, unsafeTexts } = parseJson(bytes, LIMITS.batches.values);
  const isWrapped = Array.isArray(value) && licenseKeyInQuery !== undefined;
  const body = isWrapped ? { license_key: licenseKeyInQuery, shipments: value } : value;
  const fingerprint = fingerprintOf({ ...CREATE_BATCH, body });
  // Invalid texts fail only their own item.
  return {
    value: takenApart(value, stringAt(body, 'license_key') || undefined),
    unsafeTexts: unsafeTexts.filter((path) => !IN_ITEM.test(path)),
    fingerprint,
  };
}

/** {@link readBatchBody} in a thread; an error loses its class on the way to the caller, so a refusal is returned. */
export function readInThread(job: { bytes: Uint8Array; licenseKeyInQuery: string | undefined }) {
  const { buffer, byteOffset, length } = job.bytes;
  try {
    return { body: readBatchBody(Buffer.from(buffer, byteOffset, length), job.licenseKeyInQuery) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: { code: error.code, problem: error.problem } };
  }
}

/** Empties the value. `licenseKey`: of the items that name no license. */
function takenApart(value: unknown, licenseKey: string | undefined): unknown {
  if (Array.isArray(value)) return sentItems(value, licenseKey);
  if (typeof value !== 'object' || value === null) return value;
  const named: [string, unknown][] = [];
  if ('shipments' in value) named.push(['shipments', fieldOf(value.shipments, licenseKey)]);
  if ('license_key' in value) named.push(['license_key', fieldOf(value.license_key, licenseKey)]);
  return Object.fromEntries(named);
}

/** The schema refuses any other type. */
function fieldOf(value: unknown, licenseKey: string | undefined): unknown {
  if (Array.isArray(value)) return sentItems(value, licenseKey);
  return typeof value === 'object' && value !== null ? {} : value;
}

/** One item above the limit is enough to be refused. */
function sentItems(items: unknown[], licenseKey: string | undefined): SentItem[] {
  const count = Math.min(items.length, LIMITS.batches.items + 1);
  return Array.from({ length: count }, (_, index) => {
    const item = items[index];
    // Frees each item at once, to avoid holding a large batch twice.
    items[index] = null;
    return {
      payload: JSON.stringify(item),
      fingerprint: creationFingerprint(withLicense(item, licenseKey)),
    };
  });
}

/**
 * Adds the batch's license to an item without one, or equal items of two licenses would share a key. If the batch named
 * none either, it is left out, as in a single request.
 */
function withLicense(item: unknown, licenseKey: string | undefined): unknown {
  if (licenseKey === undefined || !isObject(item)) return item;
  return { ...item, license_key: item.license_key ?? licenseKey };
}
