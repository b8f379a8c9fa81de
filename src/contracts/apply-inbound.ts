import type { DrainRound } from './wake.js';

/** Input of the workflow `applyInbound`. */
export interface ApplyInboundInput {
  licenseId: number;
}

/** Totals of one run of `applyInbound` since it was started or continued, for the operator: events of carriers. */
export type ApplyInboundResult = Record<'applied' | 'ignored', number>;

/** The workflow `applyInbound`. */
export type ApplyInbound = (input: ApplyInboundInput) => Promise<ApplyInboundResult>;

/** What one round of applying did. */
export type InboundRound = DrainRound<keyof ApplyInboundResult>;
