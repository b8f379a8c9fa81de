import type { SweepInput } from './sweep.js';

/** The workflow `resumeBatches`; returns how many runs were started. */
export type ResumeBatches = (input?: SweepInput) => Promise<number>;
