import { type Static, Type } from 'typebox';
import { findSiteByDomain } from '../../../db/queries/accounts/store-sites.js';
import { type CodeScope, mapShipmentsByCode } from '../../../db/queries/shipments/coded-shipments.js';
import type { ShipmentRecord } from '../../../domain/shipment.js';
import type { Input } from '../input.js';
import { modelNotFound } from '../reply.js';
import type { LicensedContext } from '../route.js';
import { textAt } from './fields.js';

/** A text field that also accepts numbers: plugins send digits as numbers. */
const TextOrNumber = (options: { description: string; examples: unknown[] }) =>
  Type.Unsafe<string | number>({ type: ['string', 'integer'], ...options });

/** Identifies a shipment in API v1. */
export const shippingCode = TextOrNumber({
  description: "The carrier's tracking code: neither our id of the shipment nor its uuid.",
  examples: ['74100231'],
});

/** An optional code; a missing or empty one matches no shipment. */
export const shippingId = Type.Optional(shippingCode);

/** The store's order id. */
export const orderIdText = TextOrNumber({ description: "The store's order id.", examples: ['1001'] });

/** The text of a {@link shippingId}, or empty. */
export function codeOf(value: Static<typeof shippingCode> | undefined): string {
  return value === undefined ? '' : String(value);
}

/** The caller: shipments of the license, and with a user's token of the user's whole account. */
type Asking = Pick<LicensedContext<unknown>, 'app' | 'license' | 'user'>;

/** The caller's scope for {@link mapShipmentsByCode}. */
export function scopeOf({ license, user }: Pick<Asking, 'license' | 'user'>): CodeScope {
  return { accountId: license.accountId, licenseId: license.id, widenedTo: user?.accountId ?? null };
}

/**
 * Finds a shipment by the carrier's tracking code, through its own license or its order's; null when there is
 * none.
 */
export async function findByCode(asking: Asking, code: string): Promise<ShipmentRecord | null> {
  if (code === '') return null;
  return (await mapShipmentsByCode(asking.app.db, scopeOf(asking), [code])).get(code) ?? null;
}

/** Like {@link findByCode}, but an integer also matches the code with leading zeros, which PHP's integers lose. */
export async function findByNumber(asking: Asking, code: string): Promise<ShipmentRecord | null> {
  const exact = await findByCode(asking, code);
  if (exact !== null || !/^[1-9]\d{0,17}$/.test(code)) return exact;
  // Codes of carriers have ten digits or so.
  const padded = Array.from({ length: 12 }, (_, zeros) => '0'.repeat(zeros + 1) + code);
  const [found] = (await mapShipmentsByCode(asking.app.db, scopeOf(asking), padded)).values();
  return found ?? null;
}

/** The shipment that `find` finds. @throws Refusal 404 */
export async function needShipment(asking: Asking, code: string, find = findByCode): Promise<ShipmentRecord> {
  const found = await find(asking, code);
  if (found === null) throw modelNotFound('Shipment', code);
  return found;
}

/** Host of a store whose domain is given as a URL. */
const HOST = /^(?:https?:\/\/)?([^/?#]*)/i;

/**
 * Id of the calling store site: the active one of the user's account with the `domain` of the input; null when there
 * is none, or no user.
 */
export async function siteOf(
  { app, user }: Pick<Asking, 'app' | 'user'>,
  input: Input,
): Promise<number | null> {
  if (user === null) return null;
  const [, host = ''] = HOST.exec(textAt(input, 'domain', 255) ?? '') ?? [];
  return await findSiteByDomain(app.db, { accountId: user.accountId, domain: host.toLowerCase() });
}
