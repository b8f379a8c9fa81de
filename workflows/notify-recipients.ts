import {
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { NotifyRecipientsInput, NotifyRecipientsResult } from '../src/contracts/notify-recipients.js';
import { WAKE_SIGNAL } from '../src/contracts/wake.js';
import { utcSecond } from './lib/moments.js';
import { leaveParcel } from './lib/parcel-met.js';
import { notifications } from './lib/proxies.js';

const wakeSignal = defineSignal(WAKE_SIGNAL);

/**
 * Sends the mails to a license's recipients as they become due, and ends when none is waiting. What is due is in
 * MySQL; a wake tells that there is something new, and many count as one.
 */
export async function notifyRecipients(input: NotifyRecipientsInput): Promise<NotifyRecipientsResult> {
  let isWoken = false;
  setHandler(wakeSignal, () => void (isWoken = true), { description: 'A mail has been recorded' });
  const total: NotifyRecipientsResult = { sent: 0, failed: 0, skipped: 0 };

  for (;;) {
    isWoken = false;
    const round = await notifications.sendDueMails.executeWithOptions({ summary: 'send what is due' }, [
      input,
    ]);
    total.sent += round.sent;
    total.failed += round.failed;
    total.skipped += round.skipped;
    leaveParcel(round.parcel);
    setCurrentDetails(detailsOf(total, round.nextDueInMs));
    if (round.nextDueInMs === null && !isWoken) return total;
    if (!round.more && round.nextDueInMs !== null) {
      await condition(() => isWoken, round.nextDueInMs, { summary: 'until the next try' });
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof notifyRecipients>(input);
  }
}

function detailsOf({ sent, failed, skipped }: NotifyRecipientsResult, dueInMs: number | null): string {
  const so = `${sent} sent, ${failed} failed for good, ${skipped} not wanted any more. Each is in \`GET /api/v2/notifications/logs\`.`;
  return dueInMs === null
    ? so
    : `**Waits** until ${utcSecond(Date.now() + dueInMs)} for the next mail. ${so}`;
}
