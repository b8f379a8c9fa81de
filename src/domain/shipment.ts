import type { StatusCode } from './statuses.js';

/** Message for an order that has a shipment already. `uuid`: the first one's, if known. */
export function duplicateOrderMessage(uuid: string | undefined): string {
  return `The order already has an active shipment of this service type${uuid === undefined ? '' : `: ${uuid}`}.`;
}

/** Message for a key used by another creation. `uuid`: its shipment's, if known. */
export function keyConflictMessage(uuid: string | undefined): string {
  const whose = uuid === undefined ? '' : `, that of shipment ${uuid}`;
  return `The Idempotency-Key was already used with another request${whose}.`;
}

/** 1 delivery to the recipient, 2 collection from the recipient. */
export type ServiceType = 1 | 2;
/** 1 one-way, 2 round trip. */
export type ReturnType = 1 | 2;

/** A decimal amount with two places and its ISO 4217 currency. */
export interface Money {
  amount: string;
  currency: string;
}

/** The person whom the parcel goes to or is collected from. Null means unknown. */
export interface Recipient {
  name: string;
  phone: string;
  email: string | null;
  company: string | null;
  street: string | null;
  number: string | null;
  /** Follows the house number on labels and at carriers; not stored. */
  secondLine?: string;
  entrance: string | null;
  floor: string | null;
  apartment: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

/** House number and second address line of a caller's three fields; null when empty. */
export function houseOf(
  number: string | null,
  houseNo: string | null,
  line: string | null = null,
): Pick<Recipient, 'number' | 'secondLine'> {
  const house = houseNo ?? number;
  const others = [houseNo === null ? null : number, line].filter((part) => part !== null && part !== house);
  return others.length === 0 ? { number: house } : { number: house, secondLine: others.join(', ') };
}

/** Contents and services of a shipment, independent of any carrier. */
export interface ShipmentDetails {
  serviceType: ServiceType;
  returnType: ReturnType;
  recipient: Recipient;
  /** The order number with the license's prefix. */
  carrierOrderNumber?: string;
  packages: number;
  pickupPointId: string | null;
  pickupAddress: string | null;
  note: string | null;
  extraNote: string | null;
  /** Day of collection in Asia/Jerusalem, Y-m-d. */
  collectOn: string;
  urgent: boolean;
  /** Requested vehicle, in the carrier's numbering. */
  motor: number | null;
  collect: boolean;
  cod: Money | null;
  /** The carrier's note, when it differs from the label's. */
  carrierNote?: string | null;
  /** Collection address for licenses without one. */
  collectFrom?: CollectionPlace;
  /** The caller's code for the carrier. */
  code?: string | null;
}

/** Where a carrier collects parcels; empty means unknown. */
export interface CollectionPlace {
  street: string;
  number: string;
  city: string;
  company: string;
}

/** A line of the order. `total` is a decimal text. */
export interface OrderItem {
  name: string;
  quantity: number;
  total: string | null;
  sku: string | null;
  variation: string | null;
  virtual: boolean;
}

export type JsonObject = Record<string, unknown>;

/** The store's order as sent with a shipment. */
export interface OrderSnapshot {
  /** The store's order id. */
  id: string;
  number: string;
  status: string | null;
  source: string;
  total: string;
  currency: string;
  externalId: string | null;
  billing: JsonObject;
  shipping: JsonObject;
  metaData: unknown;
  items: OrderItem[];
  /** Row id of the order's store site, if known. */
  storeSiteId?: number | null;
}

/** A stored shipment. Timestamps: ISO 8601 UTC with microseconds. */
export interface ShipmentRecord {
  id: number;
  uuid: string;
  accountId: number;
  licenseId: number;
  carrier: { id: number; name: string; provider: string };
  /** `reserved` before the carrier answers, then `created` or `refused`. */
  state: 'reserved' | 'created' | 'refused';
  trackingCode: string | null;
  shortTrackingCode: string;
  status: { code: StatusCode; description: string; at: string };
  serviceType: ServiceType;
  returnType: ReturnType;
  isActive: boolean;
  recipient: Recipient;
  pickupPointId: string | null;
  packages: number;
  cod: Money | null;
  /** `rowId` is our row's id; `id` is the store's order id. */
  order: { rowId: number; id: string; number: string };
  externalId: string | null;
  labelGenerated: boolean;
  collectionStatus: 'awaiting_collection' | 'collected' | null;
  collectedAt: string | null;
  readyAt: string | null;
  cancelledAt: string | null;
  deliveredAt: string | null;
  checkedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** One entry of a shipment's history. */
export interface StatusEvent {
  code: StatusCode;
  description: string;
  occurredAt: string;
  carrierCode: string | null;
  carrierDescription: string | null;
  location: string | null;
}

/** A parcel booked with the carrier. */
export interface BookedParcel {
  trackingCode: string;
  /** A second code of the parcel at the carrier (some need it to cancel), or null. */
  carrierReference: string | null;
  description: string | null;
}

/** A parcel of which only the code is known. */
export function parcelOfCode(trackingCode: string): BookedParcel {
  return { trackingCode, carrierReference: null, description: null };
}
