import type { ParcelMet } from './wake.js';

/** Input of the workflow `deliverWebhooks`. */
export interface DeliverWebhooksInput {
  subscriptionId: string;
}

/**
 * Result of the workflow `deliverWebhooks`, for the operator, since it was started or continued: `sent` attempts, and
 * the deliveries that ended, well or for good badly.
 */
export interface DeliverWebhooksResult {
  sent: number;
  delivered: number;
  failed: number;
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
  owner: { accountId: number; licenseId: number | null } | null;
  /** The subscription was turned off by itself and its owner is still to be told. */
  tellOwner: boolean;
  outcome: RoundOutcome;
}

/** What one round of sending came to. */
export interface RoundOutcome {
  delivered: number;
  /** Deliveries that are given up. */
  failed: number;
  /** When the oldest of those was recorded, as `replay` takes it: ISO 8601 UTC; null without one. */
  failedSince: string | null;
  /** What the last attempt met that failed; null where none did. */
  trouble: string | null;
  /** Host of the receiver, never its path; null when the subscription was deleted. */
  host: string | null;
  isActive: boolean;
  /** A store site is told, not a webhook. */
  isStore?: true;
  parcel: ParcelMet;
}
