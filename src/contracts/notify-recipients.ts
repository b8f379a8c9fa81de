import type { ParcelMet } from './wake.js';

/** Input of the workflow `notifyRecipients`. */
export interface NotifyRecipientsInput {
  licenseId: number;
}

/** Totals of one run of `notifyRecipients`, for the operator. */
export interface NotifyRecipientsResult {
  sent: number;
  failed: number;
  skipped: number;
}

/** The workflow `notifyRecipients`. */
export type NotifyRecipients = (input: NotifyRecipientsInput) => Promise<NotifyRecipientsResult>;

/** What one round of sending did. */
export interface MailRound {
  sent: number;
  failed: number;
  skipped: number;
  /** True when more is due at once. */
  more: boolean;
  /** Milliseconds until the next mail is due; null when none is waiting. */
  nextDueInMs: number | null;
  parcel: ParcelMet;
}
