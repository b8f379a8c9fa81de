export interface CancelShipmentInput {
  accountId: number;
  shipmentUuid: string;
  licenseId: number;
  provider: string;
  orderId: string;
  trackingCode: string;
  reason: string | null;
  /** Set for a store's v1 call: stores are then not notified. */
  byStore?: true;
}

export interface CancelShipmentResult {
  shipmentUuid: string;
}

/** Fails with {@link CANCEL_REFUSED}. */
export type CancelShipment = (input: CancelShipmentInput) => Promise<CancelShipmentResult>;

/** Failure type: the carrier or our rules refuse the cancellation. */
export const CANCEL_REFUSED = 'ShipmentNotCancellable';

/** Input of the activity `cancelAtCarrier`. */
export interface CancelAtCarrierInput {
  accountId: number;
  shipmentUuid: string;
  licenseId: number;
  provider: string;
}

/** `done`: the carrier will not deliver the parcel. `text` is for people. */
export type CancelAtCarrierResult = { kind: 'done'; text: string } | { kind: 'refused'; text: string };
