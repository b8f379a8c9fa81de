/** A booked parcel, and the license and carrier that it was booked with. */
export interface ParcelAtCarrier {
  accountId: number;
  shipmentUuid: string;
  licenseId: number;
  provider: string;
}

export interface CancelShipmentInput extends ParcelAtCarrier {
  orderId: string;
  trackingCode: string;
  reason: string | null;
  /** Set for a store's v1 call: stores are then not notified. */
  byStore?: true;
}

/** Failure type: the carrier or our rules refuse the cancellation. */
export const CANCEL_REFUSED = 'ShipmentNotCancellable';

/** Failure type: nobody knows whether the carrier has cancelled the parcel; a person looks there. */
export const CANCEL_UNSURE = 'CancellationUnsure';
