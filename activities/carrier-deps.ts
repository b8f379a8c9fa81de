import type { CarrierPlaces } from './carrier-places.js';
import type { RecordApp } from './shipment-records.js';

/** What the activities that call carriers are given: what they record with, and the carriers' places. */
export interface CarrierDeps extends RecordApp {
  /** Shared by all activities of the process that call the carrier for one parcel or license. */
  placesOf: CarrierPlaces;
}
