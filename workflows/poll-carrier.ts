import type { PollCarrierInput } from '../src/contracts/sweep.js';
import { pollingAt } from './lib/proxies.js';
import { sweep } from './lib/sweep.js';

/** Totals of the run. */
type Polled = Record<'checked' | 'changed', number>;

/** Polls a carrier for all due parcels, page by page. */
export async function pollCarrier(input: PollCarrierInput): Promise<Polled> {
  const total: Polled = { checked: 0, changed: 0 };
  await sweep(input, {
    round: () => askForDue(input, total),
    story: () => `${total.checked} parcels asked for, ${total.changed} changed.`,
  });
  return total;
}

async function askForDue({ provider }: PollCarrierInput, total: Polled): Promise<void> {
  // Shipments that are still due then are due in the next round.
  for (let page = 1; page <= 200; page++) {
    const result = await pollingAt(provider).pollPage.executeWithOptions({ summary: `page ${page}` }, [
      { provider },
    ]);
    total.checked += result.checked;
    total.changed += result.changed;
    if (!result.more) break;
  }
}
