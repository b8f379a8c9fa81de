import type { CarrierAccount, CarrierAdapter } from '../src/carriers/contract.js';
import type { Database } from '../src/db/database.js';
import type { ReadingRequest, ReadingResult } from '../src/services/status-readings.js';

/** What the activities that call carriers are given. */
export interface CarrierDeps {
  db: Database;
  /** The adapter of a provider; throws for an unknown one. */
  carriers(provider: string): CarrierAdapter;
  /** The licence's settings with secrets opened; throws when the licence is gone. */
  accounts(licenseId: number): Promise<CarrierAccount>;
  /** Asks the carrier for these parcels of one licence and records what it says. */
  readings(request: ReadingRequest): Promise<ReadingResult>;
}
