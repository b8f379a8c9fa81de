/** Name of the signal that tells a delivering workflow to look for what is due. It carries nothing. */
export const WAKE_SIGNAL = 'wake';

/**
 * A workflow that has something to do: one a webhook subscription, which has no license where a store serves them all, one a license's mails, one what a license's carrier
 * told by webhook.
 */
export type WakeTarget = (
  | { kind: 'webhook'; licenseId: number | null; subscriptionId: string }
  | { kind: 'mail'; licenseId: number }
  | { kind: 'inbound'; licenseId: number }
) & {
  /** Whose event it is, where it is one parcel's: the run that it starts is found by it. */
  parcel?: ParcelNames;
};

/** What operators look a parcel's runs up by. */
export interface ParcelNames {
  orderId: string;
  shipmentUuid: string;
}

/** The shipment that a round of work was about, by its uuid; `several`, or null for none. */
export type ParcelMet = string | null;

/** What one round of a workflow that is woken did: how many of each `Count`, for the operator. */
export interface DrainRound<Count extends string> {
  counts: Record<Count, number>;
  /** Milliseconds until something is due, 0 or less where it is by now; null when nothing waits. */
  nextDueInMs: number | null;
  parcel: ParcelMet;
}
