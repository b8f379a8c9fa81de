import type { SendDueResult } from '../../src/contracts/deliver-webhooks.js';
import { utcSecond } from './show-details.js';

type Counts = SendDueResult['counts'];

/** Text while waiting. `dueInMs`: until the next attempt. */
export function waitingText(
  total: Counts,
  { failing, host, trouble }: SendDueResult,
  dueInMs: number,
): string {
  const who = host ?? 'the receiver';
  const why = trouble ?? (failing ? 'Nothing has succeeded lately.' : '');
  return inLine(
    `**Waits for ${who}.** ${why} The next attempt is at ${utcSecond(Date.now() + dueInMs)}. ${countsOf(total)}`,
  );
}

/** Text of an ended run. `last`: its last round, with the `failedSince` of all rounds. */
export function endText(
  total: Counts,
  last: SendDueResult,
  { subscriptionId }: { subscriptionId: string },
): string {
  if (last.host === null) return inLine(`${countsOf(total)} The webhook was deleted.`);
  const off = last.isActive ? '' : 'The webhook is turned off.';
  const counts = countsOf(total) || (off === '' ? 'Nothing was left to deliver.' : '');
  if (total.failed === 0) return inLine(`${counts} ${off}`);
  const trouble = last.trouble ?? '';
  if (last.isStore) return inLine(`${counts} ${trouble} The store is not told of these again. ${off}`);
  const turnOn = off === '' ? '' : `${off} Once it is on again, `;
  return inLine(
    `${counts} ${trouble} ${turnOn}\`POST /api/v2/webhooks/${subscriptionId}/replay\` with ` +
      `\`{"since":"${last.failedSince ?? ''}"}\` sends them again; each attempt with its answer is in the delivery log of the API.`,
  );
}

/** Joins parts, of which some are empty, into one line. */
function inLine(text: string): string {
  return text.replaceAll(/ {2,}/g, ' ').trim();
}

function countsOf({ delivered, failed }: Counts): string {
  return [
    ...(delivered === 0 ? [] : [`${delivered} delivered.`]),
    ...(failed === 0 ? [] : [`${failed} ${failed === 1 ? 'delivery' : 'deliveries'} failed for good.`]),
  ].join(' ');
}
