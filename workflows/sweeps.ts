import type { SweepInput } from '../src/contracts/sweep.js';
import { batchRecords, operatorMessages, webhookWaking } from './lib/proxies.js';
import { sweep } from './lib/sweep.js';

/** Starts missing runs of batches with pending items: their start got lost, or they were ended from outside. */
export async function resumeBatches(input: SweepInput = {}): Promise<number> {
  return await countingSweep(
    input,
    () => batchRecords.wakeOpenBatches.executeWithOptions({ summary: 'batches without a run' }, []),
    'batches started',
  );
}

/** Tells operators, by `ALERT_URL` and `ALERT_MAIL`, of shipments that have begun to wait for a person. */
export async function tellOperators(input: SweepInput = {}): Promise<number> {
  return await countingSweep(
    input,
    () => operatorMessages.tellOperators.executeWithOptions({ summary: 'what waits for a person' }, []),
    'messages sent',
  );
}

/** Repeats lost wakes: finds overdue deliveries, mails and carrier events in MySQL. */
export async function wakeDeliveries(input: SweepInput = {}): Promise<{ woken: number }> {
  const woken = await countingSweep(
    input,
    () => webhookWaking.wakeOverdue.executeWithOptions({ summary: 'look for what is overdue' }, []),
    'woken',
  );
  return { woken };
}

/** Sweeps by a step that counts `what` it did, and returns the sum. */
async function countingSweep(input: SweepInput, step: () => Promise<number>, what: string): Promise<number> {
  let sum = 0;
  await sweep(input, {
    round: async () => {
      sum += await step();
    },
    story: () => `${sum} ${what}.`,
  });
  return sum;
}
