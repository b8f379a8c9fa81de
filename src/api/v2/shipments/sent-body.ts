import { isObject } from '../../../lib/json.js';
import { withoutMarks, wordsOf } from '../../../lib/sent-text.js';
import { fingerprintOf } from '../../idempotency.js';

type Read = (text: string) => string;

/** Codes, in which HTML is not decoded. */
const CODES: ReadonlySet<string> = new Set(['contact_mail', 'pickup', 'woo_id', 'sku']);
const ADDRESSES: ReadonlySet<string> = new Set(['billing', 'shipping']);
const PASSED_THROUGH: ReadonlySet<string> = new Set([...ADDRESSES, 'meta_data']);

const words = (name: string): Read => (CODES.has(name) ? withoutMarks : wordsOf);

/** Of the creation that this body asks for, `body` as sent. */
export function creationFingerprint(body: unknown): string {
  return fingerprintOf({ method: 'POST', route: '/api/v2/shipments', body });
}

/**
 * Normalizes a creation's body: removes invisible characters, and HTML from texts for people; drops null and
 * empty fields. Passed-through objects stay unchanged, as does the given body. Addresses that PHP sends as an empty list
 * are empty objects.
 */
export function readSentBody(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { ship_data: ship, order, ...rest } = body;
  return {
    ...rest,
    ...('ship_data' in body ? { ship_data: isObject(ship) ? fieldsOf(ship, words) : ship } : {}),
    ...('order' in body ? { order: isObject(order) ? orderOf(order) : order } : {}),
  };
}

function orderOf(order: Record<string, unknown>): Record<string, unknown> {
  const fields = fieldsOf(order, () => withoutMarks);
  const { items } = fields;
  if (!Array.isArray(items)) return fields;
  return { ...fields, items: items.map((item: unknown) => (isObject(item) ? fieldsOf(item, words) : item)) };
}

function fieldsOf(from: Record<string, unknown>, readerOf: (name: string) => Read): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([name, value]): [string, unknown][] => {
      const isText = typeof value === 'string' && !PASSED_THROUGH.has(name);
      const isEmptyAddress = ADDRESSES.has(name) && Array.isArray(value) && value.length === 0;
      const read = isText ? readerOf(name)(value) || null : isEmptyAddress ? {} : value;
      return read === null ? [] : [[name, read]];
    }),
  );
}
