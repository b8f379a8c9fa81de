import type { Database } from '../src/db/database.js';
import { findOwnerNotice, markOwnerTold, type OwnerNotice } from '../src/db/queries/webhooks.js';
import { escapeHtml } from '../src/domain/html.js';
import { MailError, type Mailer } from '../src/outbound/mail.js';

/** What telling an owner needs. */
export interface WebhookOwnerDeps {
  db: Database;
  mailer: Mailer;
}

/**
 * Mails an account that its webhook turned itself off, once: a second copy, after a lost answer of the mail server,
 * has the same message id. An address that cannot take mail is not tried again.
 */
export function createTellOwnerActivity({ db, mailer }: WebhookOwnerDeps) {
  return async function tellOwner(input: {
    subscriptionId: string;
  }): Promise<'told' | 'refused' | 'settled'> {
    const notice = await findOwnerNotice(db, input.subscriptionId);
    if (notice === null) return 'settled';
    try {
      const messageId = `webhook-off.${input.subscriptionId}.${notice.at.replace(/\D/g, '')}@parcelworks`;
      await mailer.send({ to: notice.email, messageId, ...noticeMail(input.subscriptionId, notice) });
    } catch (error) {
      if (!(error instanceof MailError) || error.kind !== 'refused') throw error;
      await markOwnerTold(db, input.subscriptionId);
      return 'refused';
    }
    await markOwnerTold(db, input.subscriptionId);
    return 'told';
  };
}

function noticeMail(id: string, notice: OwnerNotice): { subject: string; text: string; html: string } {
  const why =
    notice.reason === 'gone'
      ? 'Its receiver answered 410 Gone, which asks us to stop.'
      : 'Every delivery to it has failed for five days.';
  const lines = [
    `Hello ${notice.accountName},`,
    `we have turned your webhook off, and no events are sent to ${notice.url} any more.`,
    why,
    `Nothing is lost: the deliveries that failed are kept for 30 days. When the receiver works again, turn the webhook ` +
      `on with PATCH /api/v2/webhooks/${id} and {"is_active": true}, test it with POST /api/v2/webhooks/${id}/ping, ` +
      `and have them sent with POST /api/v2/webhooks/${id}/replay and {"since": "${notice.at.slice(0, 10)}"} ` +
      `(or an earlier day).`,
  ];
  return {
    subject: 'Your webhook was turned off',
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}</body></html>`,
  };
}
