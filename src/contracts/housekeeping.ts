/** Totals of one sweep, for the operator. */
export interface HousekeepingResult {
  expiredKeys: number;
  orphans: number;
  /** Exports in flight without a run. */
  exports: number;
  /** Rows and documents that were kept long enough. */
  old: number;
  /** Counts of shipments that were wrong. */
  recounted: number;
}

/** The workflow `housekeeping`. */
export type Housekeeping = () => Promise<HousekeepingResult>;
