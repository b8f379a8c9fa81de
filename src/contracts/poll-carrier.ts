import type { SweepInput } from './sweep.js';

export interface PollCarrierInput extends SweepInput {
  provider: string;
}

/** Totals of one run. */
export interface PollCarrierResult {
  checked: number;
  changed: number;
}

export type PollCarrier = (input: PollCarrierInput) => Promise<PollCarrierResult>;

/** Result of one page. `more`: further parcels are due. */
export interface PollPageResult {
  checked: number;
  changed: number;
  more: boolean;
}
