import type { CarrierAccount } from '../../src/carriers/contract.js';
import { Slots } from '../../src/lib/limits/slots.js';
import type { SandboxProtocol } from '../../tools/doubles/carriers/protocol.js';
import { type SandboxProvider, startSandbox } from '../../tools/doubles/carriers/server.js';
import { patient } from '../support/patience.js';

/** A booked parcel in the sandbox's ledger. */
interface LedgerEntry {
  reference: string;
  code: string;
  status: string;
  requests: number;
}

/** Only for carriers with a wire protocol. */
export interface Wire {
  fault(fault: Record<string, unknown>): Promise<void>;
  ledger(): Promise<LedgerEntry[]>;
  advance(code: string, status: string): Promise<void>;
  configure(config: Record<string, unknown>): Promise<void>;
  /** The same account at an address where nothing listens. */
  deadAccount: CarrierAccount;
  /** The same account with a timeout of one second. */
  hastyAccount: CarrierAccount;
  /** A reading has only the newest status, no history. */
  tellsNewestOnly?: true;
}

/** A carrier account to test with, and the sandbox behind it. */
export interface Harness {
  account: CarrierAccount;
  wire: Wire | null;
  close: () => Promise<void>;
}

export type Open = () => Promise<Harness>;

const TOKEN = 'sandbox-token';

/** A file's tests start together: more sandboxes would slow each other down. */
const few = new Slots({ total: 8 });

/** Waits for a slot; resolves with the function that frees it. */
function takePlace(): Promise<() => void> {
  return new Promise((taken) => void few.use(() => new Promise<void>(taken)));
}

/** Opens a new sandbox. `accountAt` makes the account for its URL and token; `settings` are added to the account's. */
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
      hastyAccount: accountAt(sandbox.url, TOKEN, { timeout_ms: patient(1000) }),
    },
    async close() {
      leave();
      await sandbox.close();
    },
  };
}
