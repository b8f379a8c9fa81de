import type { SweepInput } from './sweep.js';

/** How many delivering workflows were woken, for the operator: more than 0 again and again means lost wakes. */
export interface WakeDeliveriesResult {
  woken: number;
}

/** The workflow `wakeDeliveries`. */
export type WakeDeliveries = (input?: SweepInput) => Promise<WakeDeliveriesResult>;
