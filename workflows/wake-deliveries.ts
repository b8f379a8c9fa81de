import type { WakeDeliveriesResult } from '../src/contracts/wake-deliveries.js';
import { webhookWaking } from './lib/proxies.js';

/** Makes up for wakes that were lost: looks in MySQL for what is overdue, deliveries, mails and carriers' events. */
export async function wakeDeliveries(): Promise<WakeDeliveriesResult> {
  return {
    woken: await webhookWaking.wakeOverdue.executeWithOptions({ summary: 'look for what is overdue' }, []),
  };
}
