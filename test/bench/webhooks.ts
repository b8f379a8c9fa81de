import { request } from 'undici';
import { recordEvents } from '../../src/db/queries/webhooks/events.js';
import { createWakeSummaries } from '../../src/services/webhooks/wake-summaries.js';
import { createWaker } from '../../src/temporal/wake.js';
import { ApiClient } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { insertTestOrder, insertTestShipment, type TestLicense } from '../support/factories.js';
import { startWorkerProcess } from '../support/processes.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startStack } from '../support/stack.js';
import { subscribe } from '../support/webhooks.js';
import { percentile } from './measure.js';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 2000);
const PER_SECOND = 50;
const SLOW_MS = 10_000;
const SEEDING_WIDTH = 10;

/**
 * Commits events at a fixed pace for three subscriptions: one never answers, one answers after 10 s, one is good. Prints
 * how long the good one waited from commit to receipt, beside bare POSTs at the same pace, and compares the requests
 * that came with the attempts that were recorded. The worker runs as a separate process.
 */
const cleanUps = new CleanUps();
const stack = await startStack({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
const [dead, slow, good] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
const waker = createWaker(stack.temporal, {
  onTrouble: (error) => console.error(error),
  summaryOf: createWakeSummaries(stack.db),
});
try {
  const api = new ApiClient(await stack.startApi(), stack.account);
  const worker = await startWorkerProcess(cleanUps, stack);
  dead.behave({ kind: 'hang' });
  slow.behave({ kind: 'answer', status: 200, delayMs: SLOW_MS });
  const events = ['shipment.status_changed'];
  for (const { url } of [dead, slow, good]) await subscribe(stack, api, { url, events });
  const license = await licenseOf();
  const shipments = await seed(license);
  await warmUp(license);
  console.log(`\nbare POSTs, ${PER_SECOND}/s:        ${line(await bare())}`);
  good.requests.length = 0;

  const committed = await produce(license, shipments);
  await eventually(() => good.requests.length >= EVENTS, 'the last event', 120_000);

  console.log(`commit to receipt, good:  ${line(waits(committed))}`);
  await worker.stop();
  await compareWithWire();
} finally {
  await waker.close();
  await cleanUps.end();
  await stack.close();
  await Promise.all([dead.close(), slow.close(), good.close()]);
}

async function licenseOf(): Promise<TestLicense> {
  const [row] = await stack.db.select(
    `SELECT l.id, l.account_id, l.company_id, l.license_key, c.carrier_id FROM licenses l
     JOIN companies c ON c.id = l.company_id WHERE l.license_key = ?`,
    [stack.account.licenseKeys.independent ?? ''],
  );
  return {
    accountId: Number(row?.account_id),
    licenseId: Number(row?.id),
    carrierId: Number(row?.carrier_id),
    companyId: Number(row?.company_id),
    key: String(row?.license_key),
  };
}

/** One event by itself: a worker's first workflow takes seconds to load, which is no delivery's doing. */
async function warmUp(license: TestLicense): Promise<void> {
  const { id } = await insertTestShipment(stack.db, license);
  await commit(license, id);
  await eventually(() => good.requests.length > 0, 'the first event');
}

/** A shipment for each event: the events of one are sent one after another. */
async function seed(license: TestLicense): Promise<{ id: number; uuid: string }[]> {
  const order = await insertTestOrder(stack.db, license);
  const made: { id: number; uuid: string }[] = [];
  const lane = async () => {
    while (made.length < EVENTS)
      made.push(await insertTestShipment(stack.db, license, { order_id: order.id }));
  };
  await Promise.all(Array.from({ length: SEEDING_WIDTH }, lane));
  return made.slice(0, EVENTS);
}

/** Calls `work` at the pace, without waiting for it, and resolves when all is done. */
async function paced(work: (index: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const under: Promise<void>[] = [];
  for (let index = 0; index < EVENTS; index += 1) {
    const dueInMs = (index / PER_SECOND) * 1000 - (performance.now() - startedAt);
    if (dueInMs > 0) await new Promise((resolve) => setTimeout(resolve, dueInMs));
    under.push(work(index));
  }
  await Promise.all(under);
}

/** Milliseconds from sending to receipt of plain requests, each on a new connection. */
async function bare(): Promise<number[]> {
  good.requests.length = 0;
  const sent = new Map<string, number>();
  await paced(async (index) => {
    sent.set(`/${index}`, Date.now());
    const reply = await request(`${good.url}/${index}`, { method: 'POST', body: '{}', reset: true });
    await reply.body.dump();
  });
  return good.requests.map(({ path, at }) => at - (sent.get(path) ?? 0));
}

/** Commits one event a shipment; gives when each was committed, by the shipment's uuid. */
async function produce(
  license: TestLicense,
  shipments: readonly { id: number; uuid: string }[],
): Promise<Map<string, number>> {
  const committed = new Map<string, number>();
  await paced(async (index) => {
    const shipment = shipments[index];
    if (shipment === undefined) return;
    await commit(license, shipment.id, () => committed.set(shipment.uuid, Date.now()));
  });
  return committed;
}

async function commit(license: TestLicense, shipmentId: number, onCommit?: () => unknown): Promise<void> {
  const { accountId, licenseId } = license;
  const events = [{ event: 'shipment.status_changed', fields: { previous_status: 'created' } }] as const;
  const args = { accountId, licenseId, shipmentId, events };
  const targets = await stack.db.transaction((tx) => recordEvents(tx, args));
  onCommit?.();
  waker.wake(targets);
}

function waits(committed: ReadonlyMap<string, number>): number[] {
  return good.requests.map(({ body, at }) => at - (committed.get(JSON.parse(body).data.id) ?? 0));
}

function line(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => percentile(sorted, share);
  return `${sorted.length} requests, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

async function compareWithWire(): Promise<void> {
  const rows = await stack.db.select(
    `SELECT w.url, COUNT(a.id) AS attempts, COUNT(DISTINCT d.id) AS deliveries
     FROM webhook_subscriptions w JOIN webhook_deliveries d ON d.subscription_id = w.id
     LEFT JOIN webhook_attempts a ON a.delivery_id = d.id GROUP BY w.id, w.url`,
  );
  // Those of the warm-up and the bare ones were cleared.
  const cleared = 1;
  const receivers: Record<string, Receiver> = { dead, slow, good };
  for (const [name, { url, requests }] of Object.entries(receivers)) {
    const row = rows.find((one) => one.url === url);
    const attempts = Number(row?.attempts);
    const came = requests.length + (name === 'good' ? cleared : 0);
    const verdict = attempts === came ? 'equal' : 'NOT EQUAL';
    console.log(
      `${name.padEnd(5)} ${row?.deliveries} events, ${attempts} attempts, ${came} requests: ${verdict}`,
    );
  }
}
