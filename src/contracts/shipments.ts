import type { OrderSnapshot, ShipmentDetails } from '../domain/shipment.js';

/** Which API asked; decides the stored answer's shape and how long a key is kept. */
export type ApiVersion = 'v1' | 'v2';

/** The key under which a creation happens at most once. Both hashes are SHA-256, in hex. */
export interface IdempotencyRef {
  api: ApiVersion;
  keyHash: string;
  fingerprint: string;
  keepForSeconds: number;
}

/** Input of the workflow `createShipment`. */
export interface CreateShipmentInput {
  accountId: number;
  licenseId: number;
  carrierId: number;
  carrierName: string;
  provider: string;
  multipleShipment: boolean;
  idempotency: IdempotencyRef;
  details: ShipmentDetails;
  order: OrderSnapshot;
}

/** The shipment's identity and rows, chosen once when its key was taken. */
export interface ReservedShipment {
  uuid: string;
  shortTrackingCode: string;
  workflowId: string;
  /** ISO 8601 UTC with microseconds. */
  createdAt: string;
  shipmentId: number;
  orderInternalId: number;
}

/** What of a creation its record and its answer show. */
export type CreationFacts = Omit<CreateShipmentInput, 'multipleShipment' | 'order'> & {
  order: Pick<OrderSnapshot, 'orderId' | 'number' | 'externalId'>;
};

/** The stored first answer of a key: sent again byte for byte. */
export interface StoredAnswer {
  shipmentUuid: string;
  fingerprint: string;
  status: number;
  body: string;
}

/** Result of `createShipment`. `replayed`: the answer had been recorded by an earlier run. */
export interface CreateShipmentResult extends StoredAnswer {
  replayed: boolean;
}

/** Types of the failures that end `createShipment`, mapped once to HTTP. */
export const CREATE_FAILURES = {
  carrierRejected: 'CarrierRejected',
  keyConflict: 'IdempotencyKeyConflict',
  duplicateOrder: 'DuplicateOrder',
  invalidShipment: 'InvalidShipment',
  givenUp: 'GivenUp',
} as const;

/** First detail of each of those failures. */
export interface CreateFailureDetails {
  fingerprint: string;
  fields?: Record<string, string[]>;
}

/** An operator's decision on a booking whose outcome is unknown. */
export type BookingDecision =
  | { action: 'adopt'; trackingCode: string }
  | { action: 'retry' }
  | { action: 'give_up'; reason: string };

/** Input of the workflow `cancelShipment`. */
export interface CancelShipmentInput {
  accountId: number;
  shipmentUuid: string;
  licenseId: number;
  provider: string;
  orderId: string;
  trackingCode: string;
  reason: string | null;
}

export interface CancelShipmentResult {
  shipmentUuid: string;
}

/** Type of the failure that ends `cancelShipment` when the carrier or our rules refuse. */
export const CANCEL_REFUSED = 'ShipmentNotCancellable';

/** Input of the workflow `pollCarrier`. */
export interface PollCarrierInput {
  provider: string;
}

/** Name of the operator's Update on `createShipment`. */
export const RESOLVE_BOOKING = 'resolveBooking';
