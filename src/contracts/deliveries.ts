/** Name of the signal that tells a delivering workflow to look for what is due. It carries nothing. */
export const WAKE_SIGNAL = 'wake';

/** A delivering workflow that has something to do: one a webhook subscription, one a licence's mails. */
export type WakeTarget = { kind: 'webhook'; subscriptionId: string } | { kind: 'mail'; licenseId: number };

/** Input of the workflow `deliverWebhooks`. */
export interface DeliverWebhooksInput {
  subscriptionId: string;
}

/** Input of the workflow `notifyRecipients`. */
export interface NotifyRecipientsInput {
  licenseId: number;
}

/**
 * What one round of sending did. `more`: further ones are due now. `nextDueInMs`: how long until the next one is due,
 * null when nothing waits. `failing`: the receiver has refused or missed everything lately.
 */
export interface SendDueResult {
  sent: number;
  more: boolean;
  nextDueInMs: number | null;
  failing: boolean;
  /** The subscription was turned off by itself and its owner is still to be told. */
  tellOwner: boolean;
}
