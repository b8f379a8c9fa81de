/** Totals of one sweep. */
export interface HousekeepingResult {
  expiredKeys: number;
  orphans: number;
  /** Exports in flight without a run. */
  exports: number;
  /** Rows and documents past their retention. */
  old: number;
  /** Corrected counts of shipments. */
  recounted: number;
}

export type Housekeeping = () => Promise<HousekeepingResult>;
