import type { RefusalCode } from '../domain/events.js';
import { type FieldErrors } from '../domain/problems/problem.js';
import type {
  BookedParcel,
  JsonObject,
  OrderSnapshot,
  Recipient,
  ShipmentDetails,
  ShipmentRecord,
} from '../domain/shipment.js';

/** The key of at most one creation. Hashes are SHA-256 in hex. */
export interface IdempotencyRef {
  /** The API of the request; decides the shape of the stored answer and the life of the key. */
  api: 'v1' | 'v2';
  keyHash: string;
  fingerprint: string;
  /** Counted from the answer. */
  keepForSeconds: number;
  /**
   * For fingerprint keys: the request's time, ISO 8601 UTC. An older shipment that is no longer active frees
   * the key.
   */
  freesBefore?: string;
}

/** One creation, from the service to carrier and record. */
export interface Creation {
  accountId: number;
  licenseId: number;
  carrier: { id: number; name: string; provider: string };
  idempotency: IdempotencyRef;
  /** Id of the request that started the run. A caller that joined a run sees a different id in the result. */
  requestId: string;
  /**
   * The uuid of the shipment to reserve, a search attribute from the run's start. A key that was reserved
   * earlier keeps its own.
   */
  shipmentUuid: string;
  /** Whether the order may have several active shipments of one service type. */
  multipleShipment: boolean;
  /** Data for the carrier and the label, with the recipient. */
  details: ShipmentDetails;
  /** The recipient to store, when it differs from the carrier's. */
  recipient?: Recipient;
  /** The order's fields that later steps need. */
  order: Pick<OrderSnapshot, 'id' | 'number' | 'externalId'>;
  /** The batch of this item: its priority is lower, and a cancelled batch reserves nothing. */
  batchUuid?: string;
  /** An earlier run was ended from outside: wait for an operator's decision before asking the carrier. */
  askFirst?: true;
}

/** A creation as its reservation's rows hold it, with `details` and `order` as JSON. */
export interface StoredCreation {
  workflowId: string;
  creation: Omit<Creation, 'details' | 'requestId' | 'askFirst'> & { details: JsonObject };
  order: JsonObject;
}

/** The stored first answer of a key; replays send the same bytes. */
export interface StoredAnswer {
  shipmentUuid: string;
  fingerprint: string;
  status: number;
  body: string;
}

/** `replayed`: an earlier run had recorded the answer. */
export interface CreateShipmentResult extends StoredAnswer {
  replayed: boolean;
  /** Request id of the creation that did the work. */
  requestId: string;
}

/**
 * Result under the unique key. A reserved shipment belongs to the key, whichever run inserted it. `orderExisted`:
 * the order may have existed; it gets this snapshot once the carrier has accepted. `issued`: recorded already, since
 * nobody had to be called.
 */
export type Reservation =
  | { kind: 'reserved'; shipment: ShipmentRecord; orderExisted?: boolean }
  | { kind: 'issued'; shipment: ShipmentRecord; parcel: BookedParcel; answer: StoredAnswer }
  | { kind: 'finished'; answer: StoredAnswer }
  | { kind: 'key_conflict'; shipmentUuid?: string }
  | { kind: 'batch_cancelled' }
  | { kind: 'duplicate_order'; shipmentUuid?: string };

/** Failure types of `createShipment`, each with one HTTP answer. The first detail has the key's fingerprint. */
export const CREATE_FAILURES = {
  carrierRejected: 'CarrierRejected',
  keyConflict: 'IdempotencyKeyConflict',
  duplicateOrder: 'DuplicateOrder',
  invalidShipment: 'InvalidShipment',
  givenUp: 'GivenUp',
  batchCancelled: 'BatchCancelled',
} as const;

/** Failure types after which there is no parcel, with the codes that callers read. */
export const REFUSALS = {
  [CREATE_FAILURES.carrierRejected]: 'carrier_rejected',
  [CREATE_FAILURES.invalidShipment]: 'validation_failed',
  [CREATE_FAILURES.givenUp]: 'given_up',
} as const satisfies Record<string, RefusalCode>;

export interface BookInput {
  creation: Creation;
  shipment: ShipmentRecord;
  /** Number of the newest attempt that, as an operator made sure, booked no parcel like those before it; 0 for none. */
  released: number;
  /** The new snapshot of an order that existed before; stored with the parcel. */
  order?: OrderSnapshot;
}

/**
 * How the booking calls ended. `attempt` is the number of the last call. `at`: ISO 8601 UTC, the time that the answer
 * names, which a caller may have read although it could not be recorded for good.
 */
export type BookOutcome =
  | { kind: 'accepted'; attempt: number; parcel: BookedParcel; at?: string }
  | { kind: 'rejected'; code: string; text: string }
  | { kind: 'invalid'; fields: FieldErrors }
  | { kind: 'unknown'; attempt: number; text: string };

/**
 * `answer`: the recorded answer; missing when the workflow must record. `orderKept`: the order's snapshot is
 * stored.
 */
export type BookResult = BookOutcome & { answer?: StoredAnswer; orderKept?: boolean };

/**
 * Input of the activity `record`: the creation, its reservation and the booked parcel. The workflow's own try omits
 * `order`, so that only the parcel can fail to store.
 */
export interface RecordInput extends Pick<BookInput, 'creation' | 'shipment' | 'order'> {
  parcel: BookedParcel;
  attempt: number;
  /** Of the booking's outcome; now, where that has none. */
  at?: string;
  /** An operator decided that the parcel is this shipment's although another one has its code. */
  evenSo?: boolean;
}

/** Another live shipment of the license has the parcel's code: nothing was recorded, a person decides. */
export interface CodeQuestion {
  /** Names the other shipment. */
  question: string;
}

/**
 * An operator's decision on an unknown outcome. `attempt`: number of the newest call to the carrier when the person
 * looked there; 0 for none. `evenSo`: although another shipment has the code.
 */
export type BookingDecision =
  | { action: 'adopt'; trackingCode: string; evenSo?: boolean }
  | { action: 'retry'; attempt: number }
  | { action: 'give_up'; attempt: number; reason: string };

/** The calls to the carrier that an operator decides about. */
export interface Calls {
  /** Number of the newest; 0 for none. */
  attempt: number;
  /** ISO 8601 UTC of the moment from which on none of them can still be under way; null where none is. */
  underWayUntil: string | null;
}

/** The answer of {@link RESOLVE_BOOKING} when the carrier again did not say whether it booked. */
export const STILL_UNKNOWN = 'still unknown';

/** Signal by which a booking's retries report the reason to the creation. */
export const CARRIER_TROUBLE = 'carrierTrouble';

/** Payload of the signal. `text`: the last try's problem, for people. */
export interface CarrierTrouble {
  tries: number;
  text: string;
  /** ISO 8601 UTC of the next try when it is later than usual; else null. */
  nextTryAt: string | null;
}

/** The operator's Update on `createShipment`. */
export const RESOLVE_BOOKING = 'resolveBooking';

/** Failure type: the creation is not waiting for this decision. */
export const NOT_WAITING = 'NotWaiting';
