import type { InboundRound } from '../src/contracts/wake.js';
import { drain } from './lib/drain.js';
import { inboundEvents } from './lib/proxies.js';

/** Applies a license's carrier webhooks. Events of unknown parcels are retried at growing intervals for a day. */
export async function applyInbound(input: { licenseId: number }): Promise<InboundRound['counts']> {
  return await drain(input, {
    round: () => inboundEvents.applyDueEvents.executeWithOptions({ summary: 'apply what is due' }, [input]),
    waiting: () => ({
      details: 'The carrier told of parcels that are not known here yet; they are looked up again.',
      summary: 'until the next look-up of unknown parcels',
    }),
    ended: ({ applied, ignored }) => `${applied} events applied, ${ignored} ignored.`,
  });
}
