import type { DrainRound } from './wake.js';

export interface NotifyRecipientsInput {
  licenseId: number;
}

/** Totals since the run was started or continued. */
export type NotifyRecipientsResult = Record<'sent' | 'failed' | 'skipped', number>;

export type NotifyRecipients = (input: NotifyRecipientsInput) => Promise<NotifyRecipientsResult>;

/** Result of one round. */
export type MailRound = DrainRound<keyof NotifyRecipientsResult>;
