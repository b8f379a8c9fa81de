/** Input of the workflow `applyInbound`. */
export interface ApplyInboundInput {
  licenseId: number;
}

/** Totals of one run of `applyInbound` since it was started or continued, for the operator: events of carriers. */
export interface ApplyInboundResult {
  applied: number;
  ignored: number;
}

/** The workflow `applyInbound`. */
export type ApplyInbound = (input: ApplyInboundInput) => Promise<ApplyInboundResult>;

/** What one round did. `more`: further events are due now. */
export interface InboundRound {
  applied: number;
  ignored: number;
  more: boolean;
  /** Milliseconds until the next event is looked at again; null when none waits. */
  nextDueInMs: number | null;
}
