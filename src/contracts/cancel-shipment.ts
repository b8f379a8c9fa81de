/** Input of the workflow `cancelShipment`. */
export interface CancelShipmentInput {
  accountId: number;
  shipmentUuid: string;
  licenseId: number;
  provider: string;
  orderId: string;
  trackingCode: string;
  reason: string | null;
  /** A store asked for it by a call of v1: no store is told of it. */
  byStore?: true;
}

export interface CancelShipmentResult {
  shipmentUuid: string;
}

/** The workflow `cancelShipment`. Fails with {@link CANCEL_REFUSED}. */
export type CancelShipment = (input: CancelShipmentInput) => Promise<CancelShipmentResult>;

/** Type of the failure that ends `cancelShipment` when the carrier or our rules refuse. */
export const CANCEL_REFUSED = 'ShipmentNotCancellable';

/** Input of the activity `cancelAtCarrier`. */
export interface CancelAtCarrierInput {
  accountId: number;
  shipmentUuid: string;
  licenseId: number;
  provider: string;
}

/** `done` when the carrier will not deliver the parcel; its text is for people. */
export type CancelAtCarrierResult = { kind: 'done'; text: string } | { kind: 'refused'; text: string };
