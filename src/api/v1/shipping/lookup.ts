import { type Static, Type } from 'typebox';
import { type CodeScope, mapShipmentsByCode } from '../../../db/queries/coded-shipments.js';
import type { KeyedLicense } from '../../../db/queries/keyed-licenses.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { HttpApp } from '../../http-app.js';
import type { TokenUser } from '../guards.js';

/** What callers send where a text is meant; plugins send texts of digits as numbers. */
const TextOrNumber = (options: { description: string; examples: unknown[] }) =>
  Type.Unsafe<string | number>({ type: ['string', 'integer'], ...options });

/** A shipment's address in API v1. */
export const shippingCode = TextOrNumber({
  description: "The carrier's tracking code: neither our id of the shipment nor its uuid.",
  examples: ['74100231'],
});

/** The same where one that is missing or empty names no shipment. */
export const shippingId = Type.Optional(shippingCode);

/** An order's id of the store's. */
export const orderIdText = TextOrNumber({ description: "The store's order id.", examples: ['1001'] });

/** The text of a {@link shippingId}; empty where there is none. */
export function codeOf(value: Static<typeof shippingCode> | undefined): string {
  return value === undefined ? '' : String(value);
}

/** Whose shipments are looked for: the license's, and with a user's token their whole account's. */
export interface Asking {
  license: KeyedLicense;
  user: TokenUser | null;
}

/** What {@link mapShipmentsByCode} is asked for a caller. */
export function scopeOf({ license, user }: Asking): CodeScope {
  return { accountId: license.accountId, licenseId: license.id, widenedTo: user?.accountId ?? null };
}

/**
 * The shipment with the carrier's tracking code, by its own license or by its order's, active or not; null when there is
 * none.
 */
export async function findByCode(
  { db }: Pick<HttpApp, 'db'>,
  asking: Asking,
  code: string,
): Promise<ShipmentRecord | null> {
  if (code === '') return null;
  return (await mapShipmentsByCode(db, scopeOf(asking), [code])).get(code) ?? null;
}

/** Zeros that a code may have lost: codes of carriers have ten digits or so. */
const MAX_LOST_ZEROS = 12;

/** As {@link findByCode}; a whole number also names the code that has zeros before it, which PHP's integers lose. */
export async function findByNumber(
  { db }: Pick<HttpApp, 'db'>,
  asking: Asking,
  code: string,
): Promise<ShipmentRecord | null> {
  const exact = await findByCode({ db }, asking, code);
  if (exact !== null || !/^[1-9]\d{0,17}$/.test(code)) return exact;
  const padded = Array.from({ length: MAX_LOST_ZEROS }, (_, zeros) => '0'.repeat(zeros + 1) + code);
  const [found] = (await mapShipmentsByCode(db, scopeOf(asking), padded)).values();
  return found ?? null;
}
