import type { SweepInput } from './sweep.js';

/** Number of workflows woken: repeatedly above 0 means that wakes get lost. */
export interface WakeDeliveriesResult {
  woken: number;
}

export type WakeDeliveries = (input?: SweepInput) => Promise<WakeDeliveriesResult>;
