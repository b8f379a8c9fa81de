import { join } from 'node:path';
import { isSandboxProvider, type SandboxProvider, startSandbox } from './server.js';

interface Place {
  readonly provider: SandboxProvider;
  readonly port: number;
}

function placeOf(text: string): Place {
  const [provider = '', port = ''] = text.split(':');
  if (isSandboxProvider(provider) && /^\d{1,5}$/.test(port)) return { provider, port: Number(port) };
  process.stderr.write('usage: main.js [--ledgers <folder>] <provider>:<port> …\n');
  process.exit(2);
}

/** Runs sandboxes in one process until SIGINT or SIGTERM; ledgers are kept in the folder, else in memory. */
const [first = '', folder = '', ...rest] = process.argv.slice(2);
const isKept = first === '--ledgers';
const places = (isKept ? rest : process.argv.slice(2)).map(placeOf);
if (places.length === 0) placeOf('');

const sandboxes = await Promise.all(
  places.map(async ({ provider, port }) => {
    const ledger = isKept ? { ledgerFile: join(folder, `sandbox-${provider}.jsonl`) } : {};
    const sandbox = await startSandbox(provider, { port, ...ledger });
    process.stdout.write(`sandbox ${provider} listening on ${sandbox.url}\n`);
    return sandbox;
  }),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const sandbox of sandboxes) void sandbox.close();
  });
}
