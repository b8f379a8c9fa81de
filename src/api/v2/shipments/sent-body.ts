import { withoutMarks, wordsOf } from '../../../lib/sent-text.js';
import { isObject } from '../../openapi-schema.js';

type Read = (text: string) => string;

/** Texts that are no words: HTML has no part in them. */
const CODES: ReadonlySet<string> = new Set(['contact_mail', 'pickup', 'woo_id', 'sku']);
/** Kept as sent. */
const PASSED_THROUGH: ReadonlySet<string> = new Set(['billing', 'shipping', 'meta_data']);

const words = (name: string): Read => (CODES.has(name) ? withoutMarks : wordsOf);

/**
 * The body of a creation as it is checked: texts without what nobody sees, those for people without HTML; fields that
 * are null or empty are absent. What is passed through stays as it was sent, and so does the body that is given.
 */
export function readSentBody(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { ship_data: ship, order, ...rest } = body;
  return {
    ...rest,
    ...('ship_data' in body ? { ship_data: isFields(ship) ? fieldsOf(ship, words) : ship } : {}),
    ...('order' in body ? { order: isFields(order) ? orderOf(order) : order } : {}),
  };
}

/** A list where fields belong stays what it is: validation names it. */
function isFields(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

function orderOf(order: Record<string, unknown>): Record<string, unknown> {
  const fields = fieldsOf(order, () => withoutMarks);
  const { items } = fields;
  if (!Array.isArray(items)) return fields;
  return { ...fields, items: items.map((item: unknown) => (isFields(item) ? fieldsOf(item, words) : item)) };
}

function fieldsOf(from: Record<string, unknown>, readerOf: (name: string) => Read): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([name, value]): [string, unknown][] => {
      const isText = typeof value === 'string' && !PASSED_THROUGH.has(name);
      const read = isText ? readerOf(name)(value) || null : value;
      return read === null ? [] : [[name, read]];
    }),
  );
}
