import type { JsonObject } from '../../domain/shipment.js';
import { israelWallClock } from '../../lib/time.js';
import type { Outcome } from '../contract.js';
import type { WoltConfig } from './config.js';

type Settings = WoltConfig['settings'];

/** The refusal of a promise outside opening hours; callers show its text unchanged. */
export const CLOSED = {
  kind: 'rejected',
  code: 'closed',
  text: 'Delivery area will be closed at the requested delivery time',
} as const;

/**
 * Whether the hours include `now`, from opening until before closing. They span midnight when closing is
 * earlier, and are always open when both are equal or one is missing.
 */
export function isOpen({ opening_time: from, closing_time: until }: Settings, now: Date): boolean {
  if (from === undefined || until === undefined || from === until) return true;
  const time = israelWallClock(now.getTime()).time.slice(0, 5);
  return from < until ? time >= from && time < until : time >= from || time < until;
}

/** Parses a decimal number as an integer scaled by 10^`places`, rounded half up; null when it is no number. */
function scaled(text: string, places: number): bigint | null {
  const number = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (number === null) return null;
  const [, whole = '', fraction = ''] = number;
  const digits = fraction.padEnd(places + 1, '0');
  const units = BigInt(whole + digits.slice(0, places));
  return digits.charAt(places) >= '5' ? units + 1n : units;
}

/**
 * The price to show for the carrier's price in minor units; null when that or the setting is no amount.
 * Computed in integers.
 */
export function shownPrice(minorUnits: unknown, settings: Settings): number | null {
  const price = typeof minorUnits === 'number' ? scaled(String(minorUnits), 0) : null;
  if (price === null) return null;
  const added = settings.price_type === 'markup' ? scaled(settings.markup_price ?? '', 2) : 0n;
  const shown = settings.price_type === 'fix' ? scaled(settings.fix_price ?? '', 2) : price;
  if (shown === null || added === null) return null;
  const hundredths = shown + added;
  return Number(`${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`);
}

/** The carrier's promise with its price replaced by the shown one. */
export function pricedPromise(body: JsonObject, price: JsonObject, settings: Settings): Outcome<JsonObject> {
  const amount = shownPrice(price.amount, settings);
  if (amount === null) return { kind: 'unknown', text: 'The price of the promise cannot be read.' };
  return { kind: 'accepted', value: { ...body, price: { ...price, amount } } };
}
