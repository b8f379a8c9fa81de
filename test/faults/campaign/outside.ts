import type { Owner } from '../../support/clean-ups.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { WEBHOOK_ENV } from '../../support/webhooks.js';

/** Whom the system writes to: a receiver of webhooks and a mail server. */
export interface Outside {
  receiver: Receiver;
  mail: MailServer;
  /** Settings of the processes that write to them. */
  env: Record<string, string>;
}

/** Starts both; ended with their owner. */
export async function startOutside(owner: Owner): Promise<Outside> {
  const [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
  owner.teardown(() => receiver.close());
  owner.teardown(() => mail.close());
  return { receiver, mail, env: { ...WEBHOOK_ENV, SMTP_URL: mail.url } };
}

/** The mails and webhooks that arrived, as the judge reads them. */
export function seenOutside({ receiver, mail }: Outside): { sent: string[]; mails: string[] } {
  return {
    sent: receiver.requests.map(({ headers }) => headers['x-service-delivery-id'] ?? ''),
    mails: mail.mails.map(({ messageId }) => messageId ?? ''),
  };
}
