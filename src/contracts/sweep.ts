/**
 * Input of a workflow that looks again and again for what is due. `everySeconds`: it goes round at this pace for an
 * hour, so that the list of runs has one an hour; left out, it goes round once.
 */
export interface SweepInput {
  everySeconds?: number;
}

/** How long a run goes on; after it the Schedule's next tick starts another one. */
export const SWEEP_SECONDS = 3600;
