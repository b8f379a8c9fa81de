/** The line of the log for each. */
export const RESTORED = 'the database had lost a shipment: written again from its run';

/** A shipment that was written again, for the log: without personal data. */
export interface RestoredShipment {
  /** `second`: its order or key has another shipment by now; operators see the parcel. */
  outcome: 'recorded' | 'cancelled' | 'open' | 'unclaimed' | 'second';
  shipmentId: string;
  workflowId: string;
  accountId: number;
  licenseId: number;
  provider: string;
}
