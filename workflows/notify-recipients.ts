import type { NotifyRecipientsInput, NotifyRecipientsResult } from '../src/contracts/notify-recipients.js';
import { drain } from './lib/drain.js';
import { utcSecond } from './lib/moments.js';
import { notifications } from './lib/proxies.js';

/** Sends a license's mails to recipients as they become due. */
export async function notifyRecipients(input: NotifyRecipientsInput): Promise<NotifyRecipientsResult> {
  return await drain(input, {
    round: () => notifications.sendDueMails.executeWithOptions({ summary: 'send what is due' }, [input]),
    waiting: (total, _round, waitMs) => ({
      details: `**Waits** until ${utcSecond(Date.now() + waitMs)} for the next mail. ${countsOf(total)}`,
      summary: 'until the next try',
    }),
    ended: countsOf,
  });
}

function countsOf({ sent, failed, skipped }: NotifyRecipientsResult): string {
  return `${sent} sent, ${failed} failed for good, ${skipped} not wanted any more. Each is in \`GET /api/v2/notifications/logs\`.`;
}
