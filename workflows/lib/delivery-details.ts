import type {
  DeliverWebhooksInput,
  RoundOutcome,
  SendDueResult,
} from '../../src/contracts/deliver-webhooks.js';
import { utcSecond } from './moments.js';

/** What the rounds of a run have come to together. */
export interface Deliveries {
  sent: number;
  delivered: number;
  failed: number;
  failedSince: string | null;
  /** Of the last round. */
  last: RoundOutcome | undefined;
}

/** Before the first round. */
export function noDeliveries(): Deliveries {
  return { sent: 0, delivered: 0, failed: 0, failedSince: null, last: undefined };
}

/** Adds a round. */
export function addRound(total: Deliveries, { sent, outcome }: SendDueResult): void {
  total.sent += sent;
  total.last = outcome;
  total.delivered += outcome.delivered;
  total.failed += outcome.failed;
  const since = outcome.failedSince;
  if (since !== null && (total.failedSince === null || since < total.failedSince)) total.failedSince = since;
}

/** What is waited for, and why. `dueInMs`: until the next attempt. */
export function waitingText(total: Deliveries, { failing }: SendDueResult, dueInMs: number): string {
  const { last } = total;
  const who = last?.host ?? 'the receiver';
  const why = last?.trouble ?? (failing ? 'Nothing has succeeded lately.' : '');
  return inLine(
    `**Waits for ${who}.** ${why} The next attempt is at ${utcSecond(Date.now() + dueInMs)}. ${countsOf(total)}`,
  );
}

/** What came of a run that has ended. */
export function endText(total: Deliveries, { subscriptionId }: DeliverWebhooksInput): string {
  const { last, failed, failedSince } = total;
  if (last?.host === null) return inLine(`${countsOf(total)} The webhook was deleted.`);
  const off = last !== undefined && !last.isActive ? 'The webhook is turned off.' : '';
  const counts = countsOf(total) || (off === '' ? 'Nothing was left to deliver.' : '');
  if (failed === 0) return inLine(`${counts} ${off}`);
  if (last?.isStore)
    return inLine(`${counts} ${last.trouble ?? ''} The store is not told of these again. ${off}`);
  const turnOn = off === '' ? '' : `${off} Once it is on again, `;
  return inLine(
    `${counts} ${last?.trouble ?? ''} ${turnOn}\`POST /api/v2/webhooks/${subscriptionId}/replay\` with ` +
      `\`{"since":"${failedSince ?? ''}"}\` sends them again; each attempt with its answer is in the delivery log of the API.`,
  );
}

/** Parts that may be empty, as one line. */
function inLine(text: string): string {
  return text.replaceAll(/ {2,}/g, ' ').trim();
}

function countsOf({ delivered, failed }: Deliveries): string {
  return [
    ...(delivered === 0 ? [] : [`${delivered} delivered.`]),
    ...(failed === 0 ? [] : [`${failed} ${failed === 1 ? 'delivery' : 'deliveries'} failed for good.`]),
  ].join(' ');
}
