import { run } from '../../../src/carriers/run/index.js';
import { startSandbox } from '../../../src/dev/sandboxes/server.js';
import { conformance } from '../conformance.js';
import type { Harness, LedgerEntry } from '../harness.js';
import { runAccount } from '../support.js';

const TOKEN = 'sandbox-token';

async function open(): Promise<Harness> {
  const sandbox = await startSandbox('run');
  const gone = await startSandbox('run');
  await gone.close();
  const post = async (path: string, body: Record<string, unknown>) => {
    const reply = await fetch(`${sandbox.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
  };
  await post('/__config', { token: TOKEN });
  return {
    account: runAccount(sandbox.url, {}, { token: TOKEN }),
    wire: {
      fault: (fault) => post('/__faults', fault),
      ledger: async () => (await (await fetch(`${sandbox.url}/__ledger`)).json()) as LedgerEntry[],
      advance: (code, status) => post('/__advance', { code, status }),
      configure: (config) => post('/__config', config),
      deadAccount: runAccount(gone.url, {}, { token: TOKEN }),
      hastyAccount: runAccount(sandbox.url, { timeout_ms: 200 }, { token: TOKEN }),
    },
    close: sandbox.close,
  };
}

conformance(run, open);
