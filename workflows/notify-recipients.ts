import type { MailRound } from '../src/contracts/wake.js';
import { drain } from './lib/drain.js';
import { notifications } from './lib/proxies.js';
import { utcSecond } from './lib/show-details.js';

/** Sends a license's mails to recipients as they become due. */
export async function notifyRecipients(input: { licenseId: number }): Promise<MailRound['counts']> {
  return await drain(input, {
    round: () => notifications.sendDueMails.executeWithOptions({ summary: 'send what is due' }, [input]),
    waiting: (total, _round, waitMs) => ({
      details: `**Waits** until ${utcSecond(Date.now() + waitMs)} for the next mail. ${countsOf(total)}`,
      summary: 'until the next try',
    }),
    ended: countsOf,
  });
}

function countsOf({ sent, failed, skipped }: MailRound['counts']): string {
  return `${sent} sent, ${failed} failed for good, ${skipped} not wanted any more. Each is in \`GET /api/v2/notifications/logs\`.`;
}
