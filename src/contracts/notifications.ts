/** Input of the workflow `notifyRecipients`, of which each licence has at most one run. */
export interface NotifyRecipientsInput {
  licenseId: number;
}

/** Name of the signal that tells `notifyRecipients` of a mail that has just been recorded. It carries nothing. */
export const NOTIFY_WAKE = 'wake';

/** What one round of sending did. */
export interface MailRound {
  sent: number;
  failed: number;
  skipped: number;
  /** True when more is due at once. */
  more: boolean;
  /** Milliseconds until the next mail is due; null when none is waiting. */
  nextDueInMs: number | null;
}

/** Totals of one run of `notifyRecipients`, for the operator. */
export interface NotifyRecipientsResult {
  sent: number;
  failed: number;
  skipped: number;
}
