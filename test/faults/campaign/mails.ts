import { saveNotificationSettings } from '../../../src/db/queries/mails/notification-settings.js';
import type { TestStack } from '../../support/stack.js';

/** Has the recipients of `run` written to when a parcel is created. */
export async function mailRecipients({ db, account }: TestStack): Promise<void> {
  await saveNotificationSettings(db, {
    accountId: account.id,
    licenseId: Number(account.licenseIds.run),
    settings: { enabled: true, events: ['shipment.created'], fromName: null, replyTo: null },
  });
}
