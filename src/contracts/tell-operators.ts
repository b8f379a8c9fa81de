import type { SweepInput } from './sweep.js';

/** Returns how many messages were sent. */
export type TellOperators = (input?: SweepInput) => Promise<number>;
