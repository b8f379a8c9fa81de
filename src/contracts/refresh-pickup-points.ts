/** Input of the activity `refreshPoints`. */
export interface RefreshPointsInput {
  provider: string;
  licenseId: number;
  /** Of the daily renewal, for which nobody waits: it leaves places to others. */
  isOneOfMany?: true;
}

/** `points`: how many the copy holds now. */
export interface RefreshPointsResult {
  points: number;
}

/** Input of the activity `listPointCopies`: copies behind this license id. */
export interface ListPointCopiesInput {
  provider: string;
  afterLicenseId: number;
}

/** Totals of a renewal of many copies. */
export interface RefreshTotals {
  renewed: number;
  failed: number;
}

/**
 * Input of the workflow `refreshPickupPoints`: the copy of one license, or with null every copy of the carrier's
 * that was asked for lately. `continued` is what earlier runs of a long renewal did.
 */
export interface RefreshPickupPointsInput {
  provider: string;
  licenseId: number | null;
  continued?: RefreshTotals & { afterLicenseId: number };
}

/** The workflow `refreshPickupPoints`. Fails with one of the types below. */
export type RefreshPickupPoints = (input: RefreshPickupPointsInput) => Promise<RefreshTotals>;

/** Type of the failure that ends a refresh which the carrier refused; its message is the carrier's text. */
export const POINTS_REFUSED = 'PickupPointsRefused';

/** Type of the failure that ends a refresh for which the carrier was in trouble all the time. */
export const POINTS_UNAVAILABLE = 'PickupPointsUnavailable';
