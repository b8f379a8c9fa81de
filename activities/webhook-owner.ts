import { findOwnerNotice, markOwnerTold } from '../src/db/queries/webhooks/webhooks.js';
import { renderWebhookOffMail } from '../src/documents/mails/webhook-off-mail.js';
import { MailError } from '../src/outbound/mail.js';
import type { App } from '../src/services/app.js';

/**
 * Mails an account that its webhook disabled itself. A repeated mail has the same message id. An invalid
 * address is not retried.
 */
export function createTellOwnerActivity({ db, mailer }: Pick<App, 'db' | 'mailer'>) {
  return async function tellOwner(input: {
    subscriptionId: string;
  }): Promise<'told' | 'refused' | 'settled'> {
    const notice = await findOwnerNotice(db, input.subscriptionId);
    if (notice === null) return 'settled';
    try {
      const id = input.subscriptionId;
      const messageId = `webhook-off.${id}.${notice.offSince.replace(/\D/g, '')}@parcelworks`;
      await mailer.send({ to: notice.email, messageId, ...renderWebhookOffMail({ id, ...notice }) });
    } catch (error) {
      if (!(error instanceof MailError) || error.kind !== 'refused') throw error;
      await markOwnerTold(db, input.subscriptionId);
      return 'refused';
    }
    await markOwnerTold(db, input.subscriptionId);
    return 'told';
  };
}
