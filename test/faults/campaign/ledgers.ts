import type { LedgerEntry, SandboxClient } from '../../support/sandbox-client.js';

/** A parcel in a carrier's ledger. */
export interface Parcel extends LedgerEntry {
  provider: string;
}

/** The bookings of all carriers. */
export async function ledgersOf(sandboxes: ReadonlyMap<string, SandboxClient>): Promise<Parcel[]> {
  const all = [...sandboxes].map(async ([provider, sandbox]) =>
    (await sandbox.ledger()).map((entry) => ({ ...entry, provider })),
  );
  return (await Promise.all(all)).flat();
}
