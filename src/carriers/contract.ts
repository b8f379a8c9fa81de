import type { Dispatcher } from 'undici';
import type { StoredPickupPoint } from '../domain/pickup-points.js';
import type { BookedParcel, JsonObject, ShipmentDetails } from '../domain/shipment.js';
import type { StatusCode } from '../domain/statuses.js';
import type { TimeLimit } from '../lib/time-limit.js';

/**
 * What a carrier said to one call. Adapters return these and throw nothing but programming errors.
 * `unavailable` is provably not sent; `unknown` was sent and has no readable answer. `body` of a refusal is the
 * carrier's own JSON, where an API passes it on.
 */
export type Outcome<T> =
  | { kind: 'accepted'; value: T }
  | { kind: 'rejected'; code: string; text: string; body?: unknown }
  | { kind: 'duplicate'; text: string }
  | { kind: 'unauthorized'; text: string }
  | { kind: 'throttled'; retryAfterMs: number | undefined; text: string }
  | { kind: 'unavailable'; text: string }
  | { kind: 'unknown'; text: string };

/**
 * How the carrier treats a second booking with one reference: `replays` the first parcel, `rejects` it
 * (adopt by look-up where it offers one; else a person or the carrier's webhook names the parcel), only offers a
 * `lookup` by reference, or `none` of these.
 */
export type DuplicateHandling = 'replays' | 'rejects' | 'lookup' | 'none';

/** The carrier account: settings are checked by the adapter's `configSchema`, secrets already decrypted. */
export interface CarrierAccount {
  licenseId: number;
  settings: Record<string, unknown>;
  secrets: Record<string, string>;
  /** Where parcels are collected, from the license's settings. */
  collectFrom: { street: string; number: string; city: string; company: string };
  /** Tells this account of the carrier's from another one; changes with the settings that name the account. */
  identity?: string;
}

/** Identifies a booked parcel in later calls. `reference` is ours: the shipment's uuid. */
export interface ParcelRef {
  reference: string;
  trackingCode: string;
  carrierReference: string | null;
}

/** What the carrier knows of a parcel now, oldest event first. Times ISO 8601 UTC with microseconds. */
export interface CarrierStatus {
  trackingCode: string;
  events: {
    /** Our code; undefined when the carrier's is not in the adapter's table. */
    code: StatusCode | undefined;
    carrierCode: string;
    carrierDescription: string;
    occurredAt: string;
    location: string | null;
    /**
     * Set where the carrier tells only how the parcel stands now: told again, it is no new event, and it counts
     * even if its time is older than what is known. `occurredAt` is the carrier's time, or that of the question: the
     * parcel may have moved on, and have been told of, before the answer is here.
     */
    isCurrent?: true;
  }[];
}

/** A place where recipients fetch parcels. Absent values are empty strings, as in API v1. */
export interface PickupPoint extends Omit<StoredPickupPoint, 'latitude' | 'longitude'> {
  latitude: string;
  longitude: string;
}

/** Input of a booking. `reference` is the shipment's uuid. */
export interface BookingRequest {
  reference: string;
  orderNumber: string;
  shipment: ShipmentDetails;
}

/** A street address in the words the caller used. */
export interface StreetAddress {
  city: string;
  street: string;
  /** Null where the number is part of the street or unknown. */
  number: string | null;
}

/** Parcel sizes of the same-day platforms, smallest first. */
export const PACKAGE_SIZES = ['ENVELOPE', 'SMALL', 'MEDIUM', 'LARGE'] as const;
export type PackageSize = (typeof PACKAGE_SIZES)[number];

/** Prices a same-day delivery. */
export interface SameDayQuoter {
  /** Names of the settlements that are served; callers keep the list for a day. */
  settlements(context: CallContext): Promise<Outcome<string[]>>;
  /** The carrier's quote, its JSON body unchanged. A carrier's HTTP error is `rejected` with its `body`. */
  quote(
    request: { from: StreetAddress; to: StreetAddress; packageSize: PackageSize },
    context: CallContext,
  ): Promise<Outcome<JsonObject>>;
}

/** What a carrier's webhook tells of one parcel. Known by its tracking code, or by our reference. */
export interface InboundEvent {
  /** Unique for what happened, so that a second delivery of it is told apart. At most 128 characters. */
  id: string;
  trackingCode: string | null;
  reference: string | null;
  event: CarrierStatus['events'][number];
}

/**
 * A carrier's webhook as it was read. `forged` fails the carrier's own proof; `unreadable` is none of its messages.
 * `text` says why for the log, and quotes nothing of the message.
 */
export type InboundReading =
  | { kind: 'events'; events: InboundEvent[] }
  | { kind: 'forged'; text: string }
  | { kind: 'unreadable'; text: string };

/** Reads a carrier's webhooks. Pure: no I/O. */
export interface InboundReader {
  /** `headers` in lower case; `nowMs` for proofs that expire. */
  read(
    request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer; nowMs: number },
    account: CarrierAccount,
  ): InboundReading;
}

/** Per-call context. */
export interface CallContext {
  account: CarrierAccount;
  signal: AbortSignal;
  /** Of a booking: nothing is sent once it is over, since others may have decided on the parcel by then. */
  sendWithin?: TimeLimit;
}

/** Context of a call for a label. */
export interface LabelContext extends CallContext {
  /** Dials public addresses only: for a label that the carrier keeps at another origin than its own. */
  elsewhere: Dispatcher;
}

/**
 * A carrier. Capabilities are the operations that are present. Pure data but for those.
 * `checkBooking` reports what cannot fit before anything is sent: JSON path → messages.
 */
export interface CarrierAdapter {
  /** Provider name, equal to the folder's name with `_` for `-`. */
  readonly provider: string;
  readonly displayName: string;
  readonly duplicates: DuplicateHandling;
  readonly limits: {
    requestsPerSecond: number;
    concurrency: number;
    /**
     * How long after sending a missing parcel may still appear, with the default time-out of calls; above it. 0 where
     * the carrier cannot be asked by reference.
     */
    settleMs: number;
  };
  /**
   * JSON Schema of the license settings. Properties with `"x-secret": true` are stored encrypted. Those with
   * `"x-account": true` tell one account of the carrier's from another: where one changes, a person is asked about each
   * booking without an answer.
   */
  readonly configSchema: object;
  /** Whether the carrier takes a cancellation in this status; asked before the call. */
  canCancel(status: StatusCode): boolean;
  checkBooking(request: BookingRequest, account: CarrierAccount): Record<string, string[]>;
  /** Whether the carrier's notes cannot hold all of the shipment's; absent where they hold any. */
  cutsNote?(request: Pick<BookingRequest, 'orderNumber' | 'shipment'>): boolean;
  book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>>;
  findByReference?(reference: string, context: CallContext): Promise<Outcome<BookedParcel | null>>;
  /** The `carrierReference` of a parcel whose reply to the booking is lost, where it follows from the shipment. */
  adoptedReference?(shipment: ShipmentDetails, account: CarrierAccount): string | null;
  cancel?(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>>;
  /** At most `maxBulk` parcels a call. A parcel the carrier does not know is absent from the answer. */
  status?: {
    maxBulk: number;
    fetch(parcels: readonly ParcelRef[], context: CallContext): Promise<Outcome<CarrierStatus[]>>;
  };
  /** The carrier's own label, a PDF. */
  label?(parcel: ParcelRef, context: LabelContext): Promise<Outcome<Uint8Array>>;
  pickupPoints?(context: CallContext): Promise<Outcome<PickupPoint[]>>;
  sameDayQuote?: SameDayQuoter;
  /**
   * A promise of a delivery with its price, by the license's opening hours and price rules. Refused with the code
   * `closed` and the reason as text outside the hours, and then nothing is sent. `now` decides that.
   */
  shippingPromise?(
    request: { to: StreetAddress; now: Date },
    context: CallContext,
  ): Promise<Outcome<JsonObject>>;
  /** Whether the carrier's express service reaches an address. */
  expressEnabled?(to: StreetAddress, context: CallContext): Promise<Outcome<{ enabled: boolean }>>;
  /** An express parcel's status as the carrier has it now; `accepted` with null for one it does not know. */
  expressStatus?(
    parcel: ParcelRef,
    context: CallContext,
  ): Promise<Outcome<{ carrierCode: string; description: string } | null>>;
  webhook?: InboundReader;
}
