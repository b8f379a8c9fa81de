import { type Static, Type } from 'typebox';
import { mapShipmentsByCode } from '../../../db/queries/coded-shipments.js';
import type { KeyedLicense } from '../../../db/queries/keyed-licenses.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { HttpDeps } from '../../deps.js';
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

/**
 * The license's shipment with the carrier's tracking code, by its own license or by its order's, active or not; null
 * when there is none. `widenedTo`: a user of a merchant whose whole account counts too.
 */
export async function findByCode(
  { db }: Pick<HttpDeps, 'db'>,
  { license, widenedTo = null }: { license: KeyedLicense; widenedTo?: TokenUser | null },
  code: string,
): Promise<ShipmentRecord | null> {
  if (code === '') return null;
  const { accountId, id: licenseId } = license;
  const scope = { accountId, licenseId, widenedTo: widenedTo?.accountId ?? null };
  return (await mapShipmentsByCode(db, scope, [code])).get(code) ?? null;
}
