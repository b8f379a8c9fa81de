import type { Dispatcher } from 'undici';
import type { StoredPickupPoint } from '../domain/pickup-points.js';
import { type FieldErrors } from '../domain/problems/problem.js';
import type { BookedParcel, CollectionPlace, JsonObject, ShipmentDetails } from '../domain/shipment.js';
import type { StatusCode } from '../domain/statuses.js';
import type { TimeLimit } from '../lib/time-limit.js';

/**
 * Result of one call to a carrier; adapters throw only programming errors. `unavailable` was provably not sent.
 * `unknown` was sent, and its answer is missing or unreadable. `body` is the carrier's own JSON of a refusal.
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
 * How the carrier treats a second booking with one reference: it `replays` the first parcel, `rejects` the
 * booking, only offers a `lookup` by reference, or does `none` of these. After `rejects`, the parcel is adopted
 * by look-up, by a person or by the carrier's webhook.
 */
export type DuplicateHandling = 'replays' | 'rejects' | 'lookup' | 'none';

/** The carrier account: settings checked by the adapter's `configSchema`, secrets decrypted. */
export interface CarrierAccount {
  licenseId: number;
  settings: Record<string, unknown>;
  secrets: Record<string, string>;
  /** The address where parcels are collected, from the license's settings. */
  collectFrom: CollectionPlace;
  /** Identifies the account at the carrier; changes with the settings marked `x-account`. */
  identity?: string;
}

/** Identifies a booked parcel in later calls. `reference` is ours: the shipment's uuid. */
export interface ParcelRef {
  reference: string;
  trackingCode: string;
  carrierReference: string | null;
}

/** The carrier's events of a parcel, oldest first. Times are ISO 8601 UTC with microseconds. */
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
     * Set when the carrier reports only the current status. Repeating it makes no new event, and it counts even
     * if its time is older than what is stored. `occurredAt` is the carrier's time, or the time of the request.
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

/** A street address as the caller wrote it. */
export interface StreetAddress {
  city: string;
  street: string;
  /** Null when unknown or part of the street. */
  number: string | null;
}

/** Parcel sizes of the same-day platforms, smallest first. */
export const PACKAGE_SIZES = ['ENVELOPE', 'SMALL', 'MEDIUM', 'LARGE'] as const;
export type PackageSize = (typeof PACKAGE_SIZES)[number];

/** Prices a same-day delivery. */
export interface SameDayQuoter {
  /** Names of the served settlements; callers cache the list for a day. */
  settlements(context: CallContext): Promise<Outcome<string[]>>;
  /** Returns the carrier's quote as its unchanged JSON body. A carrier's HTTP error is `rejected` with its `body`. */
  quote(
    request: { from: StreetAddress; to: StreetAddress; packageSize: PackageSize },
    context: CallContext,
  ): Promise<Outcome<JsonObject>>;
}

/** One event of a carrier's webhook. The parcel is known by its tracking code or by our reference. */
export interface InboundEvent {
  /** Unique per event, so that a repeated delivery is recognized. At most 128 characters. */
  id: string;
  trackingCode: string | null;
  reference: string | null;
  event: CarrierStatus['events'][number];
}

/**
 * A parsed carrier webhook. `forged` fails the carrier's proof; `unreadable` is none of its messages. `text` is
 * the reason for the log and quotes nothing of the message.
 */
export type InboundReading =
  | { kind: 'events'; events: InboundEvent[] }
  | { kind: 'forged'; text: string }
  | { kind: 'unreadable'; text: string };

/** Reads a carrier's webhooks. Pure: no I/O. */
export interface InboundReader {
  /** `headers` have lower-case names; `nowMs` is for proofs that expire. */
  read(
    request: { headers: Readonly<Record<string, string | undefined>>; body: Buffer; nowMs: number },
    account: CarrierAccount,
  ): InboundReading;
}

/** Per-call context. */
export interface CallContext {
  account: CarrierAccount;
  signal: AbortSignal;
  /** Bookings only: nothing is sent after it ends, because the parcel may have been decided on by then. */
  sendWithin?: TimeLimit;
}

/** Context of a call for a label. */
export interface LabelContext extends CallContext {
  /** Dials public addresses only; for labels that the carrier keeps at another origin. */
  elsewhere: Dispatcher;
}

/** A carrier. Its capabilities are the operations that are present. */
export interface CarrierAdapter {
  /** Provider name, equal to the folder's name with `_` for `-`. */
  readonly provider: string;
  readonly displayName: string;
  readonly duplicates: DuplicateHandling;
  readonly limits: {
    requestsPerSecond: number;
    concurrency: number;
    /**
     * How long after sending a missing parcel may still appear, with the default call timeout (and above it). 0
     * when the carrier has no look-up by reference.
     */
    settleMs: number;
  };
  /**
   * JSON Schema of the license settings. `"x-secret": true` properties are stored encrypted. `"x-account":
   * true` properties identify the account at the carrier: after one changes, an operator decides each
   * unanswered booking.
   */
  readonly configSchema: object;
  /** Whether bookings name where parcels are collected, so that a license needs street and city. */
  readonly needsCollectionAddress?: true;
  /** Companies whose servers speak the carrier's protocol, by which people know it. */
  readonly companies?: readonly string[];
  /** Whether the carrier accepts a cancellation in this status; checked before the call. */
  canCancel(status: StatusCode): boolean;
  checkBooking(request: BookingRequest, account: CarrierAccount): FieldErrors;
  /** Whether the carrier's notes are too short for the shipment's; absent when they hold any length. */
  cutsNote?(request: Pick<BookingRequest, 'orderNumber' | 'shipment'>): boolean;
  book(request: BookingRequest, context: CallContext): Promise<Outcome<BookedParcel>>;
  /**
   * The parcel of a reference, where nobody is called for it: the reservation's own transaction records it, and `book`
   * is left for reservations of before. Pure; equal references give equal parcels.
   */
  issue?(reference: string): BookedParcel;
  findByReference?(reference: string, context: CallContext): Promise<Outcome<BookedParcel | null>>;
  /** The `carrierReference` of a parcel whose booking reply was lost, where the shipment determines it. */
  adoptedReference?(shipment: ShipmentDetails, account: CarrierAccount): string | null;
  /**
   * A question that books nothing and shows whether the credentials hold; only where neither a look-up nor a status can
   * be asked for.
   */
  check?(context: CallContext): Promise<Outcome<unknown>>;
  cancel?(parcel: ParcelRef, context: CallContext): Promise<Outcome<{ text: string }>>;
  /** At most `maxBulk` parcels a call. Parcels that the carrier does not know are absent from the result. */
  status?: {
    maxBulk: number;
    fetch(parcels: readonly ParcelRef[], context: CallContext): Promise<Outcome<CarrierStatus[]>>;
  };
  /** The carrier's own label as a PDF. */
  label?(parcel: ParcelRef, context: LabelContext): Promise<Outcome<Uint8Array>>;
  pickupPoints?(context: CallContext): Promise<Outcome<PickupPoint[]>>;
  sameDayQuote?: SameDayQuoter;
  /**
   * Prices a delivery by the license's opening hours and price rules. Outside the hours (at `now`) it is
   * refused with the code `closed` and the reason as text, and nothing is sent.
   */
  shippingPromise?(
    request: { to: StreetAddress; now: Date },
    context: CallContext,
  ): Promise<Outcome<JsonObject>>;
  /** Whether the carrier's express service reaches an address. */
  expressEnabled?(to: StreetAddress, context: CallContext): Promise<Outcome<{ enabled: boolean }>>;
  /** The carrier's current status of an express parcel; null when it does not know the parcel. */
  expressStatus?(
    parcel: ParcelRef,
    context: CallContext,
  ): Promise<Outcome<{ carrierCode: string; description: string } | null>>;
  webhook?: InboundReader;
}
