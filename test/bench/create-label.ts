import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { startStack } from '../support/stack.js';
import { measure, percentile, type Sample, timesOf } from './measure.js';
import { BenchProcesses, creation } from './processes.js';

const ROUNDS = Number(process.argv[2] ?? 4);
const WIDTH = 16;
const COUNT = 96;
const WARM_UP = 64;
const PROVIDER = 'independent';

/**
 * A shipment with its label's PDF in hand beside creations alone, 16 at a time, in alternating rounds. API and worker
 * run as separate processes. Argument: how many rounds (4).
 */
const stack = await startStack();
const processes = new BenchProcesses(stack);
try {
  await processes.startWorker();
  const api = new ApiClient(await processes.startApi(), stack.account);
  const create = creation(api, stack, PROVIDER);
  const both = () => createAndLabel(api);
  await measure(create, { count: WARM_UP, width: WIDTH });
  await measure(both, { count: WARM_UP, width: WIDTH });
  const samples: { alone: Sample[]; labelled: Sample[] } = { alone: [], labelled: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    samples.alone.push(await measure(create, { count: COUNT, width: WIDTH }));
    samples.labelled.push(await measure(both, { count: COUNT, width: WIDTH }));
  }

  console.log(`\n${WIDTH} at a time`);
  const alone = line('creation alone', samples.alone);
  const labelled = line('creation and label', samples.labelled);
  console.log(`  with its label ${(labelled / alone).toFixed(2)} of the rate of creations alone`);
} finally {
  await processes.stop();
  await stack.close();
}

async function createAndLabel(api: ApiClient): Promise<void> {
  const created = await request(`${api.url}/api/v2/shipments`, {
    method: 'POST',
    headers: { ...api.headers, 'idempotency-key': randomUUID() },
    body: JSON.stringify(shipmentBody(stack.account, PROVIDER)),
  });
  const text = await created.body.text();
  if (created.statusCode !== 201) throw new Error(text);
  const { uuid } = JSON.parse(text).data;
  const label = await request(`${api.url}/api/v2/shipments/${uuid}/label`, {
    headers: { ...api.headers, accept: 'application/pdf' },
  });
  const pdf = Buffer.from(await label.body.arrayBuffer());
  if (label.statusCode !== 200 || !pdf.toString('latin1', 0, 5).startsWith('%PDF-')) {
    throw new Error(pdf.toString('utf8'));
  }
}

/** Prints the times and gives the rate in calls a second. */
function line(name: string, samples: readonly Sample[]): number {
  const sorted = timesOf(samples);
  const at = (share: number) => `${percentile(sorted, share).toFixed(0)} ms`;
  const totalMs = samples.reduce((sum, sample) => sum + sample.totalMs, 0);
  const perSecond = (sorted.length / totalMs) * 1000;
  console.log(`  ${name.padEnd(20)} p50 ${at(0.5)}  p95 ${at(0.95)}  ${perSecond.toFixed(1)}/s`);
  return perSecond;
}
