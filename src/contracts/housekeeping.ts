/** Totals of one sweep, for the operator. */
export interface HousekeepingResult {
  expiredKeys: number;
  orphans: number;
  /** Exports in flight without a run. Absent in runs that began before they were looked for. */
  exports?: number;
  /** Rows and documents that were kept long enough. Absent in runs that began before there was a limit. */
  old?: number;
  /** Counts of shipments that were wrong. Absent in runs that began before they were looked at. */
  recounted?: number;
}

/** The workflow `housekeeping`. */
export type Housekeeping = () => Promise<HousekeepingResult>;
