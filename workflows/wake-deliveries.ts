import type { SweepInput } from '../src/contracts/sweep.js';
import type { WakeDeliveriesResult } from '../src/contracts/wake-deliveries.js';
import { webhookWaking } from './lib/proxies.js';
import { sweep } from './lib/sweep.js';

/** Repeats lost wakes: finds overdue deliveries, mails and carrier events in MySQL. */
export async function wakeDeliveries(input: SweepInput = {}): Promise<WakeDeliveriesResult> {
  let woken = 0;
  await sweep(input, {
    round: async () => {
      woken += await webhookWaking.wakeOverdue.executeWithOptions(
        { summary: 'look for what is overdue' },
        [],
      );
    },
    story: () => `${woken} woken.`,
  });
  return { woken };
}
