import type { DrainRound } from './wake.js';

export interface ApplyInboundInput {
  licenseId: number;
}

/** Totals since the run was started or continued: events of carriers. */
export type ApplyInboundResult = Record<'applied' | 'ignored', number>;

export type ApplyInbound = (input: ApplyInboundInput) => Promise<ApplyInboundResult>;

/** Result of one round. */
export type InboundRound = DrainRound<keyof ApplyInboundResult>;
