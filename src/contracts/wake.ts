/** Signal to a delivering workflow: look for due work. No payload. */
export const WAKE_SIGNAL = 'wake';

/**
 * A workflow with work: one per webhook subscription (without a license for a store's), one per license for
 * mails, one per license for carrier webhooks.
 */
export type WakeTarget = (
  | { kind: 'webhook'; licenseId: number | null; subscriptionId: string }
  | { kind: 'mail'; licenseId: number }
  | { kind: 'inbound'; licenseId: number }
) & {
  /** The parcel of the event, so that the run can be found by it. */
  parcel?: { orderId: string; shipmentUuid: string };
};

/** The shipment uuid of a round's work; `several`, or null for none. */
export type ParcelMet = string | null;

/** Result of one round of a woken workflow: totals of each `Count`. */
export interface DrainRound<Count extends string> {
  counts: Record<Count, number>;
  /** Milliseconds until the next work is due (0 or less: now); null when none waits. */
  nextDueInMs: number | null;
  parcel: ParcelMet;
}

/** Result of a round of `applyInbound`: events of carriers. */
export type InboundRound = DrainRound<'applied' | 'ignored'>;

/** Result of a round of `notifyRecipients`. */
export type MailRound = DrainRound<'sent' | 'failed' | 'skipped'>;
