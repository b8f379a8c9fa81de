import type { CarrierAccount } from '../../src/carriers/contract.js';
import { createLimit } from '../../src/lib/limits/in-turns.js';
import type { SandboxProtocol } from '../../tools/doubles/carriers/protocol.js';
import { type SandboxProvider, startSandbox } from '../../tools/doubles/carriers/server.js';
import { patient } from '../support/patience.js';

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
  /** The same account with a call time-out of a second. */
  hastyAccount: CarrierAccount;
  /** Set where a reading of a parcel tells its newest status and no earlier ones. */
  tellsNewestOnly?: true;
}

/** A carrier account to test with, and the sandbox behind it. */
export interface Harness {
  account: CarrierAccount;
  wire: Wire | null;
  close: () => Promise<void>;
}

/** Opens a harness of one test's own. */
export type Open = () => Promise<Harness>;

const TOKEN = 'sandbox-token';

/** The tests of a file all begin at once: more sandboxes than this keep each other from answering in time. */
const few = createLimit(8);

/** Waits for a place; resolves with what gives it back. */
function takePlace(): Promise<() => void> {
  return new Promise((taken) => void few(() => new Promise<void>(taken)));
}

/**
 * A harness with a sandbox of its own. `accountAt` makes the carrier's account for a base address and the token
 * that the sandbox asks for; `settings` come on top of those it has by itself.
 */
export async function openSandbox(
  carrier: SandboxProvider | SandboxProtocol,
  accountAt: (baseUrl: string, token: string, settings?: Record<string, unknown>) => CarrierAccount,
): Promise<Omit<Harness, 'wire'> & { wire: Wire }> {
  const leave = await takePlace();
  const sandbox = await startSandbox(carrier);
  const gone = await startSandbox(carrier);
  await gone.close();
  const post = async (path: string, body: Record<string, unknown>) => {
    const reply = await fetch(`${sandbox.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
  };
  await post('/__config', { token: TOKEN });
  return {
    account: accountAt(sandbox.url, TOKEN),
    wire: {
      fault: (fault) => post('/__faults', fault),
      ledger: async () => (await (await fetch(`${sandbox.url}/__ledger`)).json()) as LedgerEntry[],
      advance: (code, status) => post('/__advance', { code, status }),
      configure: (config) => post('/__config', config),
      deadAccount: accountAt(gone.url, TOKEN),
      hastyAccount: accountAt(sandbox.url, TOKEN, { timeout_ms: Math.ceil(patient(1000)) }),
    },
    async close() {
      leave();
      await sandbox.close();
    },
  };
}
