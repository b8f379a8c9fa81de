import { join } from 'node:path';
import { isSandboxProvider, type SandboxProvider, startSandbox } from './server.js';
import { webhookUrlOf } from './webhooks-file.js';

interface Place {
  readonly provider: SandboxProvider;
  readonly port: number;
}

function placeOf(text: string): Place {
  const [provider = '', port = ''] = text.split(':');
  if (isSandboxProvider(provider) && /^\d{1,5}$/.test(port)) return { provider, port: Number(port) };
  process.stderr.write('usage: main.js [--folder <folder>] <provider>:<port> …\n');
  process.exit(2);
}

/**
 * Runs sandboxes in one process until SIGINT or SIGTERM. The folder stores ledgers and the URLs for status
 * changes; without it everything is in memory.
 */
const [first = '', folder = '', ...rest] = process.argv.slice(2);
const isKept = first === '--folder';
const places = (isKept ? rest : process.argv.slice(2)).map(placeOf);
if (places.length === 0) placeOf('');

const sandboxes = await Promise.all(
  places.map(async ({ provider, port }) => {
    const kept = isKept
      ? {
          ledgerFile: join(folder, `sandbox-${provider}.jsonl`),
          webhookUrl: webhookUrlOf(folder, provider),
        }
      : {};
    const sandbox = await startSandbox(provider, { port, ...kept });
    process.stdout.write(`sandbox ${provider} listening on ${sandbox.url}\n`);
    return sandbox;
  }),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const sandbox of sandboxes) void sandbox.close();
  });
}
