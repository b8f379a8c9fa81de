import type { DrainRound } from './wake.js';

/** Input of the workflow `deliverWebhooks`. */
export interface DeliverWebhooksInput {
  subscriptionId: string;
}

/**
 * Result of the workflow `deliverWebhooks`, for the operator, since it was started or continued: `sent` attempts, and
 * the deliveries that ended, well or for good badly.
 */
export type DeliverWebhooksResult = Record<'sent' | 'delivered' | 'failed', number>;

/** The workflow `deliverWebhooks`. */
export type DeliverWebhooks = (input: DeliverWebhooksInput) => Promise<DeliverWebhooksResult>;

/** What one round of sending did, and how the subscription stands after it. */
export interface SendDueResult extends DrainRound<keyof DeliverWebhooksResult> {
  /** The receiver has refused or missed everything lately. */
  failing: boolean;
  /** Whose subscription it is; null when it was deleted. */
  owner: { accountId: number; licenseId: number | null } | null;
  /** The subscription was turned off by itself and its owner is still to be told. */
  tellOwner: boolean;
  /** When the oldest of those that failed was recorded, as `replay` takes it: ISO 8601 UTC; null without one. */
  failedSince: string | null;
  /** What the last attempt met that failed; null where none did. */
  trouble: string | null;
  /** Host of the receiver, never its path; null when the subscription was deleted. */
  host: string | null;
  isActive: boolean;
  /** A store site is told, not a webhook. */
  isStore?: true;
}
