import type { DrainRound } from './wake.js';

/** Input of the workflow `notifyRecipients`. */
export interface NotifyRecipientsInput {
  licenseId: number;
}

/** Totals of one run of `notifyRecipients` since it was started or continued, for the operator. */
export type NotifyRecipientsResult = Record<'sent' | 'failed' | 'skipped', number>;

/** The workflow `notifyRecipients`. */
export type NotifyRecipients = (input: NotifyRecipientsInput) => Promise<NotifyRecipientsResult>;

/** What one round of sending did. */
export type MailRound = DrainRound<keyof NotifyRecipientsResult>;
