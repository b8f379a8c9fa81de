/** Input of the workflow `deliverWebhooks`. */
export interface DeliverWebhooksInput {
  subscriptionId: string;
}

/** Result of the workflow `deliverWebhooks`, for the operator: attempts made since it was started or continued. */
export interface DeliverWebhooksResult {
  sent: number;
}

/** The workflow `deliverWebhooks`. */
export type DeliverWebhooks = (input: DeliverWebhooksInput) => Promise<DeliverWebhooksResult>;

/**
 * What one round of sending did. `more`: further ones are due now. `nextDueInMs`: how long until the next one is due,
 * null when nothing waits. `failing`: the receiver has refused or missed everything lately.
 */
export interface SendDueResult {
  sent: number;
  more: boolean;
  nextDueInMs: number | null;
  failing: boolean;
  /** Whose subscription it is; null when it was deleted. */
  owner: { accountId: number; licenseId: number } | null;
  /** The subscription was turned off by itself and its owner is still to be told. */
  tellOwner: boolean;
}
