import type { SweepInput } from './sweep.js';

/** Input of the workflow `pollCarrier`. */
export interface PollCarrierInput extends SweepInput {
  provider: string;
}

/** Totals of one run, for the operator. */
export interface PollCarrierResult {
  checked: number;
  changed: number;
}

/** The workflow `pollCarrier`. */
export type PollCarrier = (input: PollCarrierInput) => Promise<PollCarrierResult>;

/** What one page of polling did. `more`: further parcels are due. */
export interface PollPageResult {
  checked: number;
  changed: number;
  more: boolean;
}
