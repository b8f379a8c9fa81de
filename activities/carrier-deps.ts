import type { CarrierAccount } from '../src/carriers/contract.js';
import type { CarrierPlaces } from './carrier-places.js';
import type { RecordDeps } from './shipment-records.js';

/** What the activities that call carriers are given: what they record with, and the carrier accounts. */
export interface CarrierDeps extends RecordDeps {
  /** The license's settings with secrets opened; throws when the license is gone. */
  accounts(licenseId: number, provider: string): Promise<CarrierAccount>;
  /** Shared by all activities of the process that call the carrier for one parcel or license. */
  placesOf: CarrierPlaces;
}
