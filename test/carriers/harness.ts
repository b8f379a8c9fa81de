import type { CarrierAccount } from '../../src/carriers/contract.js';

/** A booked parcel as the sandbox's ledger shows it. */
export interface LedgerEntry {
  reference: string;
  code: string;
  status: string;
  requests: number;
}

/** What only carriers with a wire protocol can be tested with. */
export interface Wire {
  fault(fault: Record<string, unknown>): Promise<void>;
  ledger(): Promise<LedgerEntry[]>;
  advance(code: string, status: string): Promise<void>;
  configure(config: Record<string, unknown>): Promise<void>;
  /** The same account at an address where nothing listens. */
  deadAccount: CarrierAccount;
  /** The same account with a call time-out of 200 ms. */
  hastyAccount: CarrierAccount;
}

/** A carrier account to test with, and the sandbox behind it. */
export interface Harness {
  account: CarrierAccount;
  wire: Wire | null;
  close: () => Promise<void>;
}

/** Opens a harness of one test's own. */
export type Open = () => Promise<Harness>;
