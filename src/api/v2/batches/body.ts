import { MAX_BATCH_ITEMS } from '../../../domain/batch.js';
import { fingerprintOf } from '../../idempotency.js';
import { type ParsedJson, parseJson } from '../../json-body.js';

/** Values of a batch, at most: 250 for each of 2000 items. */
const MAX_BATCH_VALUES = 500_000;

const IN_ITEM = /^(?:shipments\.)?\d+(?:\.|$)/;

/** Method and path of the creation, as they go into its fingerprint. */
const CREATE_BATCH = { method: 'POST', route: '/api/v2/batches' };

/** A batch's body: `value` is of its shape and holds each item as JSON text; nothing else of what was sent is left. */
export interface BatchBody extends ParsedJson {
  /** Of the request, for its key. */
  fingerprint: string;
}

/**
 * Reads the body of a batch: an object with `shipments`, or the bare array of items, whose license then is in the query
 * and is as much a part of the request.
 * @throws AppError as `parseJson`.
 */
export function readBatchBody(bytes: Buffer, licenseKeyInQuery: string | undefined): BatchBody {
  const { value, unsafeTexts } = parseJson(bytes, MAX_BATCH_VALUES);
  const isWrapped = Array.isArray(value) && licenseKeyInQuery !== undefined;
  const body = isWrapped ? { license_key: licenseKeyInQuery, shipments: value } : value;
  const fingerprint = fingerprintOf({ ...CREATE_BATCH, body });
  // An item's texts are the item's own affair: it fails by itself.
  return {
    value: takenApart(value),
    unsafeTexts: unsafeTexts.filter((path) => !IN_ITEM.test(path)),
    fingerprint,
  };
}

/** Empties the value. */
function takenApart(value: unknown): unknown {
  if (Array.isArray(value)) return itemTexts(value);
  if (typeof value !== 'object' || value === null) return value;
  const named: [string, unknown][] = [];
  if ('shipments' in value) named.push(['shipments', fieldOf(value.shipments)]);
  if ('license_key' in value) named.push(['license_key', fieldOf(value.license_key)]);
  return Object.fromEntries(named);
}

/** A field of another type is refused by the schema, whatever it holds. */
function fieldOf(value: unknown): unknown {
  if (Array.isArray(value)) return itemTexts(value);
  return typeof value === 'object' && value !== null ? {} : value;
}

/** One more than a batch may have is refused all the same. */
function itemTexts(items: unknown[]): string[] {
  const count = Math.min(items.length, MAX_BATCH_ITEMS + 1);
  return Array.from({ length: count }, (_, index) => {
    const text = JSON.stringify(items[index]);
    // A large batch is not to be held twice.
    items[index] = null;
    return text;
  });
}
