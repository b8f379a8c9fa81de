/** Input of the activity `refreshPoints`. */
export interface RefreshPointsInput {
  provider: string;
  licenseId: number;
  /** Part of the daily renewal, which nobody waits for: it leaves capacity to others. */
  isOneOfMany?: true;
}

/** Totals of renewing many copies. */
export interface RefreshTotals {
  renewed: number;
  failed: number;
}

/** One license's copy, or with null all of the carrier's recently used copies. `continued`: totals of earlier runs. */
export interface RefreshPickupPointsInput {
  provider: string;
  licenseId: number | null;
  continued?: RefreshTotals & { afterLicenseId: number };
}

/** Failure type: the carrier refused; the message is its text. */
export const POINTS_REFUSED = 'PickupPointsRefused';

/** Failure type: the carrier was unavailable throughout. */
export const POINTS_UNAVAILABLE = 'PickupPointsUnavailable';
