import type { DrainRound } from './wake.js';

/**
 * Result of one round of sending, and the subscription's state after it. Counts `sent` attempts, and deliveries that
 * ended either way.
 */
export interface SendDueResult extends DrainRound<'sent' | 'delivered' | 'failed'> {
  /** The receiver's recent deliveries all failed. */
  failing: boolean;
  /** Owner of the subscription; null when it was deleted. */
  owner: { accountId: number; licenseId: number | null } | null;
  /** The subscription disabled itself and its owner must still be notified. */
  tellOwner: boolean;
  /** When the oldest failed delivery was recorded, for `replay`: ISO 8601 UTC or null. */
  failedSince: string | null;
  /** Problem of the last failed attempt; null without one. */
  trouble: string | null;
  /** Host of the receiver, never its path; null when the subscription was deleted. */
  host: string | null;
  isActive: boolean;
  /** The receiver is a store site, not a webhook. */
  isStore?: true;
}
