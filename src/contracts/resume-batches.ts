import type { SweepInput } from './sweep.js';

/** Returns how many runs were started. */
export type ResumeBatches = (input?: SweepInput) => Promise<number>;
