/**
 * Input of a sweeping workflow. With `everySeconds` one run repeats the sweep for an hour, to keep the list of
 * runs short; without it, it sweeps once.
 */
export interface SweepInput {
  everySeconds?: number;
}

export interface PollCarrierInput extends SweepInput {
  provider: string;
}

/** Length of a run; the Schedule's next tick starts another. */
export const SWEEP_SECONDS = 3600;
