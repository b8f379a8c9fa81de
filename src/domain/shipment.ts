import type { StatusCode } from './statuses.js';

/** Why an order gets no second shipment. `uuid`: the first one's, where it is known. */
export function duplicateOrderMessage(uuid: string | undefined): string {
  return `The order already has an active shipment of this service type${uuid === undefined ? '' : `: ${uuid}`}.`;
}

/** Why a key starts nothing. `uuid`: the shipment's that it stands for, where it is known. */
export function keyConflictMessage(uuid: string | undefined): string {
  const whose = uuid === undefined ? '' : `, that of shipment ${uuid}`;
  return `The Idempotency-Key was already used with another request${whose}.`;
}

/** 1 delivery to the recipient, 2 collection from the recipient. */
export type ServiceType = 1 | 2;
/** 1 one-way, 2 round trip. */
export type ReturnType = 1 | 2;

/** An amount of money as a decimal string with two places, and its ISO 4217 currency. */
export interface Money {
  amount: string;
  currency: string;
}

/** Who the parcel goes to, or is collected from. Null where unknown. */
export interface Recipient {
  name: string;
  phone: string;
  email: string | null;
  company: string | null;
  street: string | null;
  number: string | null;
  /** What follows the house number; told to carriers and labels, not recorded. Absent for nothing. */
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

/** House and second part of an address of which callers send a number, a house number, and a line; null for none. */
export function houseOf(
  number: string | null,
  houseNo: string | null,
  line: string | null = null,
): Pick<Recipient, 'number' | 'secondLine'> {
  const house = houseNo ?? number;
  const others = [houseNo === null ? null : number, line].filter((part) => part !== null && part !== house);
  return others.length === 0 ? { number: house } : { number: house, secondLine: others.join(', ') };
}

/** What is shipped and how: everything a carrier adapter may need, free of any carrier's words. */
export interface ShipmentDetails {
  serviceType: ServiceType;
  returnType: ReturnType;
  recipient: Recipient;
  /** The order's number for the carrier, behind the license's prefix. Runs begun before 0.2 do not have it. */
  carrierOrderNumber?: string;
  packages: number;
  pickupPointId: string | null;
  pickupAddress: string | null;
  note: string | null;
  extraNote: string | null;
  /** Y-m-d, day in Asia/Jerusalem on which the carrier should come. */
  collectOn: string;
  urgent: boolean;
  /** Vehicle the merchant asks for, as the carrier numbers it. */
  motor: number | null;
  collect: boolean;
  cod: Money | null;
  /** The note as the carrier is told it, where it says more than the label's. */
  carrierNote?: string | null;
  /** Where the parcel is collected, for licenses that do not say. */
  collectFrom?: CollectionPlace;
  /** A code of the caller's for the carrier. */
  code?: string | null;
}

/** Where a carrier fetches parcels; empty where unknown. */
export interface CollectionPlace {
  street: string;
  number: string;
  city: string;
  company: string;
}

/** A line of the order. `total` is a decimal string. */
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
  /** The store's own order id. */
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
  /** Our row of the store site that it came from, where that is known. */
  storeSiteId?: number | null;
}

/** A stored shipment as every presenter sees it. Timestamps: ISO 8601 UTC with microseconds. */
export interface ShipmentRecord {
  id: number;
  uuid: string;
  accountId: number;
  licenseId: number;
  carrier: { id: number; name: string; provider: string };
  /** `reserved` before the carrier answered, `created` after it accepted, `refused` if it did not. */
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
  /** `rowId` is the id of our row; `id` is the store's order id. */
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

/** One step of a shipment's history. */
export interface StatusEvent {
  code: StatusCode;
  description: string;
  occurredAt: string;
  carrierCode: string | null;
  carrierDescription: string | null;
  location: string | null;
}

/** A parcel the carrier has booked. */
export interface BookedParcel {
  trackingCode: string;
  /** A second code by which the carrier knows the parcel (used for cancelling at some), or null. */
  carrierReference: string | null;
  description: string | null;
}

/** A parcel of which nothing but its code is known. */
export function parcelOfCode(trackingCode: string): BookedParcel {
  return { trackingCode, carrierReference: null, description: null };
}
