import type { ShipmentDetails } from '../domain/shipment.js';

/** Input of the activity `book`. */
export interface BookInput {
  provider: string;
  licenseId: number;
  shipmentUuid: string;
  orderNumber: string;
  details: ShipmentDetails;
  /** An operator has seen to it that no earlier attempt booked a parcel: sending again is safe. */
  resend: boolean;
}

/** How a booking ended. `attempt` is the number of the call that ended it. */
export type BookResult =
  | {
      kind: 'accepted';
      attempt: number;
      parcel: { trackingCode: string; carrierReference: string | null; description: string | null };
    }
  | { kind: 'rejected'; code: string; text: string }
  | { kind: 'invalid'; fields: Record<string, string[]> }
  | { kind: 'unknown'; attempt: number; text: string };

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
