import type {
  BookedParcel,
  JsonObject,
  OrderSnapshot,
  Recipient,
  ShipmentDetails,
  ShipmentRecord,
} from '../domain/shipment.js';

/** Which API asked; decides the stored answer's shape and how long a key is kept. */
export type ApiVersion = 'v1' | 'v2';

/** The key under which a creation happens at most once. Both hashes are SHA-256, in hex. */
export interface IdempotencyRef {
  api: ApiVersion;
  keyHash: string;
  fingerprint: string;
  /** Counted from the answer. */
  keepForSeconds: number;
  /**
   * Of a key that nobody chose, ISO 8601 UTC: a shipment made before, and not active any more, leaves it free. The time of
   * the request, so that nothing of its own ever does.
   */
  freesBefore?: string;
}

/** One creation, as it travels from the service to the carrier and the record. */
export interface Creation {
  accountId: number;
  licenseId: number;
  carrier: { id: number; name: string; provider: string };
  idempotency: IdempotencyRef;
  /** Of the request that made this: whoever joins a running creation reads another one in its result. */
  requestId: string;
  /**
   * The uuid of the shipment that it reserves, so that the run is found by it from its start. A key that was reserved
   * before has another one.
   */
  shipmentUuid: string;
  /** Whether the order may have several active shipments of one service type. */
  multipleShipment: boolean;
  /** What the carrier is told and the label prints, its recipient included. */
  details: ShipmentDetails;
  /** Whom the record shows; missing where that is the one whom the carrier is told. */
  recipient?: Recipient;
  /** Of the order, what later steps show. */
  order: Pick<OrderSnapshot, 'id' | 'number' | 'externalId'>;
  /** The batch whose item this is: it gives way to single ones, and nothing is reserved once the batch is cancelled. */
  batchUuid?: string;
  /** An earlier run was ended from outside, and an operator has a decision to give before the carrier is asked. */
  askFirst?: true;
}

/** A creation as its reservation's rows hold it: `details` and `order` are what it was given, as JSON. */
export interface StoredCreation {
  workflowId: string;
  creation: Omit<Creation, 'details' | 'requestId' | 'askFirst'> & { details: JsonObject };
  order: JsonObject;
}

/**
 * The workflow `createShipment`. The order's snapshot may be large: it goes to the reservation, and to the booking only
 * where the order was there before.
 * Ends with the stored answer of the key, or fails with one of {@link CREATE_FAILURES}.
 */
export type CreateShipment = (creation: Creation, order: OrderSnapshot) => Promise<CreateShipmentResult>;

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
  /** Of the creation that did the work. */
  requestId: string;
}

/**
 * What the unique key decided; a reserved shipment is the key's, whichever run inserted it. `orderKnown`: the order was
 * there before, perhaps, and gets this creation's snapshot once the carrier has accepted.
 */
export type Reservation =
  | { kind: 'reserved'; shipment: ShipmentRecord; orderKnown?: boolean }
  | { kind: 'finished'; answer: StoredAnswer }
  | { kind: 'key_conflict'; shipmentUuid?: string }
  | { kind: 'batch_cancelled' }
  | { kind: 'duplicate_order'; shipmentUuid?: string };

/** Types of the failures that end `createShipment`, mapped once to HTTP. */
export const CREATE_FAILURES = {
  carrierRejected: 'CarrierRejected',
  keyConflict: 'IdempotencyKeyConflict',
  duplicateOrder: 'DuplicateOrder',
  invalidShipment: 'InvalidShipment',
  givenUp: 'GivenUp',
  batchCancelled: 'BatchCancelled',
} as const;

/** First detail of each of those failures. */
export interface CreateFailureDetails {
  fingerprint: string;
  fields?: Record<string, string[]>;
}

/** Input of the activity `book`. */
export interface BookInput {
  creation: Creation;
  shipment: ShipmentRecord;
  /** An operator has seen to it that no earlier attempt booked a parcel: sending again is safe. */
  resend: boolean;
  /** The order's new snapshot, where the order was there before: it is recorded with the parcel. */
  order?: OrderSnapshot;
}

/** How the calls for a booking ended. `attempt` is the number of the call that ended it. */
export type BookOutcome =
  | { kind: 'accepted'; attempt: number; parcel: BookedParcel }
  | { kind: 'rejected'; code: string; text: string }
  | { kind: 'invalid'; fields: Record<string, string[]> }
  | { kind: 'unknown'; attempt: number; text: string };

/**
 * Result of the activity `book`. `answer`: what was recorded; missing where the workflow is to record. `orderKept`: the
 * order's snapshot is among it.
 */
export type BookResult = BookOutcome & { answer?: StoredAnswer; orderKept?: boolean };

/** Input of the activity `record`: the creation, its reservation and the parcel that the carrier booked for it. */
export interface RecordInput {
  creation: Creation;
  shipment: ShipmentRecord;
  parcel: BookedParcel;
  attempt: number;
  /** As {@link BookInput} has it; the workflow's own try goes without, so that nothing but the parcel can hinder it. */
  order?: OrderSnapshot;
  /** An operator has decided that the parcel is this shipment's, though another one has its code. */
  evenSo?: boolean;
}

/** The parcel's code is another live shipment's of the license: nothing was recorded, and a person decides. */
export interface CodeQuestion {
  /** Names the other shipment. */
  question: string;
}

/** An operator's decision on a booking whose outcome is unknown. `evenSo`: though another shipment has the code. */
export type BookingDecision =
  | { action: 'adopt'; trackingCode: string; evenSo?: boolean }
  | { action: 'retry' }
  | { action: 'give_up'; reason: string };

/** Name of the Signal by which a booking that is tried again tells its creation why. */
export const CARRIER_TROUBLE = 'carrierTrouble';

/** What that Signal carries. `text`: what the last try met, for people. */
export interface CarrierTrouble {
  tries: number;
  text: string;
  /** ISO 8601 UTC, where the next try comes later than usual; else null. */
  nextTryAt: string | null;
}

/** Name of the operator's Update on `createShipment`. */
export const RESOLVE_BOOKING = 'resolveBooking';

/** Type of the failure with which a creation refuses a decision that it does not wait for, now or any more. */
export const NOT_WAITING = 'NotWaiting';
