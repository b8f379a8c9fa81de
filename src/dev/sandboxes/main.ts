import { isSandboxProvider, startSandbox } from './server.js';

/** Usage: `node main.js <provider> <port> [ledger file]`. Runs until SIGINT or SIGTERM. */
const [provider = '', port = '', ledgerFile] = process.argv.slice(2);
if (!isSandboxProvider(provider) || !/^\d{1,5}$/.test(port)) {
  process.stderr.write('usage: main.js <provider> <port> [ledger file]\n');
  process.exit(2);
}

const sandbox = await startSandbox(provider, {
  port: Number(port),
  ...(ledgerFile === undefined ? {} : { ledgerFile }),
});
process.stdout.write(`sandbox ${provider} listening on ${sandbox.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void sandbox.close());
}
