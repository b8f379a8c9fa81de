import type { SweepInput } from '../src/contracts/sweep.js';
import { operatorMessages } from './lib/proxies.js';
import { sweep } from './lib/sweep.js';

/** Tells operators, by `ALERT_URL` and `ALERT_MAIL`, of shipments that have begun to wait for a person. */
export async function tellOperators(input: SweepInput = {}): Promise<number> {
  let sent = 0;
  await sweep(input, {
    round: async () => {
      sent += await operatorMessages.tellOperators.executeWithOptions(
        { summary: 'what waits for a person' },
        [],
      );
    },
    story: () => `${sent} messages sent.`,
  });
  return sent;
}
