/** Name of the signal that tells a delivering workflow to look for what is due. It carries nothing. */
export const WAKE_SIGNAL = 'wake';

/**
 * A workflow that has something to do: one a webhook subscription, one a licence's mails, one what a license's carrier
 * told by webhook.
 */
export type WakeTarget =
  | { kind: 'webhook'; licenseId: number; subscriptionId: string }
  | { kind: 'mail'; licenseId: number }
  | { kind: 'inbound'; licenseId: number };
