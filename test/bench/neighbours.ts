import { insertWebhook } from '../../src/db/queries/webhooks/webhooks.js';
import { uuidV7 } from '../../src/lib/ids.js';
import { newWebhookSecret } from '../../src/outbound/webhook-signature.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { startReceiver } from '../support/receiver.js';
import { startStack } from '../support/stack.js';
import { ALL_EVENTS } from '../support/webhooks.js';
import { measure, percentile, type Sample, timesOf } from './measure.js';
import { BenchProcesses, creation } from './processes.js';

const ROUNDS = Number(process.argv[2] ?? 3);
const WEBHOOKS = Number(process.env.BENCH_WEBHOOKS ?? 100);
/** Of the neighbour's creations, each of which is sent to all of its webhooks. */
const NEIGHBOUR_EVERY_MS = 2000;
const LOAD = { count: 60, width: 1 };
const WARM_UP = { count: 200, width: 8 };

/**
 * Creations of one license while another one has a hundred webhooks, half of which never answer, beside the same
 * creations without those webhooks. The neighbour creates all the while, in both. Argument: how many rounds (3).
 */
const stack = await startStack({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
const NEIGHBOUR = stack.account.licenseKeys.run ?? '';
const processes = new BenchProcesses(stack);
const [good, dead] = await Promise.all([startReceiver(), startReceiver()]);
dead.behave({ kind: 'hang' });
try {
  await processes.startWorker();
  const api = new ApiClient(await processes.startApi(), stack.account);
  const create = creation(api, stack, 'independent');
  await measure(create, WARM_UP);
  const samples: { without: Sample[]; beside: Sample[] } = { without: [], beside: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    samples.without.push(await besideNeighbour(api, create));
    const webhooks = await subscribeAll();
    const before = good.requests.length;
    samples.beside.push(await besideNeighbour(api, create));
    await eventually(() => good.requests.length > before, 'deliveries to the webhooks that answer');
    await Promise.all(webhooks.map((id) => api.delete(`/webhooks/${id}?license_key=${NEIGHBOUR}`)));
  }

  const without = line('without webhooks', samples.without);
  const beside = line(`beside ${WEBHOOKS} webhooks`, samples.beside);
  console.log(
    `  p50 is ${(beside / without).toFixed(2)} × without, ${good.requests.length} deliveries answered`,
  );
} finally {
  await processes.stop();
  await stack.close();
  await Promise.all([good.close(), dead.close()]);
}

async function besideNeighbour(api: ApiClient, create: () => Promise<void>): Promise<Sample> {
  const neighbour = creation(api, stack, 'run');
  const underWay: Promise<void>[] = [neighbour()];
  const timer = setInterval(() => underWay.push(neighbour()), NEIGHBOUR_EVERY_MS);
  const sample = await measure(create, LOAD);
  clearInterval(timer);
  await Promise.all(underWay);
  return sample;
}

/** More than the API allows a license, as an account with several has them; gives their ids. */
async function subscribeAll(): Promise<string[]> {
  const [row] = await stack.db.select('SELECT id FROM licenses WHERE license_key = ?', [NEIGHBOUR]);
  const license = { accountId: stack.account.id, licenseId: Number(row?.id) };
  const ids = Array.from({ length: WEBHOOKS }, uuidV7);
  for (const [index, id] of ids.entries()) {
    const { url } = index % 2 === 0 ? good : dead;
    const secret = stack.config.appKeys.seal('webhook secret', newWebhookSecret());
    await insertWebhook(stack.db, { ...license, id }, { url, events: ALL_EVENTS, secret, limit: WEBHOOKS });
  }
  return ids;
}

/** Prints the times and gives their p50. */
function line(name: string, samples: readonly Sample[]): number {
  const sorted = timesOf(samples);
  const at = (share: number) => percentile(sorted, share);
  console.log(
    `  ${name.padEnd(22)} p50 ${at(0.5).toFixed(1)} ms  p95 ${at(0.95).toFixed(1)} ms  p99 ${at(0.99).toFixed(1)} ms`,
  );
  return at(0.5);
}
