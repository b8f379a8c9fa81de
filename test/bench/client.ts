import { buildTypescriptClient } from '../../tools/clients/build.js';
import { startStack } from '../support/stack.js';
import { measure, printLoad } from './measure.js';
import { BenchProcesses } from './processes.js';

const ROUNDS = 5;
const WIDTH = 16;
const COUNT = Number(process.env.BENCH_REQUESTS ?? 1500);

/** Reads by the TypeScript client beside the same reads by a bare `fetch`, in alternating rounds, 16 at a time. */
await buildTypescriptClient();
const { clientOf } = await import('../support/typescript-client.js');
const stack = await startStack({ env: { RATE_LIMIT_PER_MINUTE: '100000000' } });
const processes = new BenchProcesses(stack);
try {
  const url = await processes.startApi();
  const parcels = clientOf(url, stack.account);
  const headers = {
    'x-client-id': stack.account.clientId,
    'x-client-secret': stack.account.clientSecret,
    accept: 'application/json',
  };
  const sides: Record<string, () => Promise<void>> = {
    'bare fetch': async () => {
      const answer = await fetch(`${url}/api/v2/account`, { headers });
      const body = (await answer.json()) as { data?: unknown };
      if (body.data === undefined) throw new Error(`${answer.status}`);
    },
    client: async () => {
      await parcels.getAccount();
    },
  };
  printLoad();
  const rates: Record<string, number> = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, ask] of Object.entries(sides)) {
      const { totalMs } = await measure(ask, { count: COUNT, width: WIDTH });
      // The first round warms both up.
      if (round > 0) rates[name] = (rates[name] ?? 0) + (COUNT * 1000) / totalMs / ROUNDS;
    }
  }
  for (const [name, rate] of Object.entries(rates)) console.log(`${name}: ${rate.toFixed(0)} a second`);
  console.log(`client / bare fetch: ${((rates.client ?? 0) / (rates['bare fetch'] ?? 1)).toFixed(2)}`);
} finally {
  await processes.stop();
  await stack.close();
}
