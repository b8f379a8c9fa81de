import type { BookedParcel, ShipmentDetails } from '../domain/shipment.js';
import type { CreationFacts, ReservedShipment, StoredAnswer } from './shipments.js';

/** Input of the activity `book`. */
export interface BookInput {
  provider: string;
  licenseId: number;
  shipmentUuid: string;
  orderNumber: string;
  details: ShipmentDetails;
  /** An operator has seen to it that no earlier attempt booked a parcel: sending again is safe. */
  resend: boolean;
  /** What to record with the parcel. Missing in runs that began before bookings recorded themselves. */
  record?: { creation: Omit<CreationFacts, 'details'>; shipment: ReservedShipment };
}

/** How the calls for a booking ended. `attempt` is the number of the call that ended it. */
export type BookOutcome =
  | { kind: 'accepted'; attempt: number; parcel: BookedParcel }
  | { kind: 'rejected'; code: string; text: string }
  | { kind: 'invalid'; fields: Record<string, string[]> }
  | { kind: 'unknown'; attempt: number; text: string };

/** Result of the activity `book`. `answer`: what was recorded; missing where the workflow is to record. */
export type BookResult = BookOutcome & { answer?: StoredAnswer };

/** Input of the activity `cancelAtCarrier`. */
export interface CancelAtCarrierInput {
  accountId: number;
  shipmentUuid: string;
  licenseId: number;
  provider: string;
}

/** `done` when the carrier will not deliver the parcel; its text is for people. */
export type CancelAtCarrierResult = { kind: 'done'; text: string } | { kind: 'refused'; text: string };

/** What one page of polling did. `more`: further parcels are due. */
export interface PollPageResult {
  checked: number;
  changed: number;
  more: boolean;
}
