import { fitsAmount, toDecimal } from '../../../domain/decimal.js';
import { isObject } from '../../../lib/json.js';
import { withoutMarks, wordsOf } from '../../../lib/sent-text.js';
import { cutText } from '../../../lib/text.js';

/** A caller's object that is read leniently: plugins send numbers as texts, and flags in many forms. */
export type Loose = Readonly<Record<string, unknown>>;

const SET: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'yes', 'on']);
const UNSET: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'no', 'off']);

/** The object at a key, or an empty one. */
export function objectAt(from: Loose, key: string): Loose {
  const value = from[key];
  return isObject(value) ? value : {};
}

/** The text or number at a key without invisible characters, cut to `max` code points; null when empty. */
export function textAt(from: Loose, key: string, max: number): string | null {
  return readAt(from[key], max, withoutMarks);
}

/** Like {@link textAt}, also without HTML. */
export function wordsAt(from: Loose, key: string, max: number): string | null {
  return readAt(from[key], max, wordsOf);
}

function readAt(value: unknown, max: number, read: (text: string) => string): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return cutText(read(String(value)), max) || null;
}

/** The integer at a key, given as number or digits; null otherwise. */
export function integerAt(from: Loose, key: string): number | null {
  const value = from[key];
  const number = typeof value === 'string' && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

/** The flag at a key; undefined when unclear. */
export function flagAt(from: Loose, key: string): boolean | undefined {
  const value = from[key];
  if (SET.has(value)) return true;
  return UNSET.has(value) ? false : undefined;
}

/** The amount at a key as decimal text with two places; null when missing, undefined when invalid. */
export function amountAt(from: Loose, key: string): string | null | undefined {
  const value = from[key];
  if (value === null || value === undefined) return null;
  const text = typeof value === 'number' && Number.isFinite(value) ? value.toFixed(6) : value;
  if (typeof text !== 'string' || !/^-?\d{1,12}(?:\.\d{1,40})?$/.test(text)) return undefined;
  const amount = toDecimal(text);
  return fitsAmount(amount) ? amount : undefined;
}
