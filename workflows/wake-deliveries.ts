import { webhookWaking } from './lib/proxies.js';

/** How many delivering workflows were woken, for the operator: more than 0 again and again means lost wakes. */
export interface WakeDeliveriesResult {
  woken: number;
}

/** Makes up for wakes that were lost: looks in MySQL for deliveries and mails that are overdue. */
export async function wakeDeliveries(): Promise<WakeDeliveriesResult> {
  return {
    woken: await webhookWaking.wakeOverdue.executeWithOptions({ summary: 'look for what is overdue' }, []),
  };
}
