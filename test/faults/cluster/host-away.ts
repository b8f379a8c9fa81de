import { setTimeout as delay } from 'node:timers/promises';
import { ensureSchedules } from '../../../src/temporal/schedules.js';
import { percentile } from '../../bench/measure.js';
import type { Owner } from '../../support/clean-ups.js';
import { synced } from '../../support/galera.js';
import { violations } from '../../support/invariants.js';
import { doubles } from '../campaign/judge.js';
import { ledgersOf } from '../campaign/ledgers.js';
import { Load } from '../load.js';
import { type Host, processesOf, stackOn, startEngines, startHosts } from './two-hosts.js';

const NODES = 3;

export interface AwayOptions {
  /** Of each part: undisturbed, a host away, a node away, a link cut, undisturbed. */
  seconds: number;
  perSecond: number;
  log(line: string): void;
}

/**
 * Creates at a steady rate while one host is killed and comes back, then a node of MySQL, then one link is cut; returns
 * the promises that did not hold.
 */
export async function awayUnderLoad(
  owner: Owner,
  { seconds, perSecond, log }: AwayOptions,
): Promise<string[]> {
  const engines = await startEngines(owner, NODES);
  log(`Temporal on two hosts and ${engines.nodes.length} nodes of Galera are up`);
  const stack = await stackOn(owner, engines);
  const [first, second] = await startHosts(owner, stack, engines);
  await ensureSchedules(stack.temporal, { providers: [], pollIntervalSeconds: 60 });
  log('an API and a worker on each host are up');

  const load = new Load([first.api.url, second.api.url], stack.account).startSteadily(owner, perSecond);
  const part = async (name: string, fault: () => Promise<void>) => {
    const until = delay(seconds * 1000);
    await fault();
    await until;
    log(`${name}: ${waitsOf(load)}`);
  };
  const nothing = async () => undefined;
  const away = (seconds * 1000) / 2;
  const [, node] = engines.nodes;
  await part('undisturbed', nothing);
  await part('a host is killed (-9), and is back', () => hostAway(first, away));
  await part('a node of MySQL is killed (-9), and is back', async () => {
    if (node === undefined) return;
    await node.process.kill9();
    await delay(away / 3);
    // A balancer does as much for the second host.
    second.database.leadTo(engines.nodes[0].port);
    await delay(away / 3);
    await node.process.start();
    await synced(node.root);
    second.database.leadTo(node.port);
  });
  await part("answers of Temporal do not reach the second host's processes, and do again", async () => {
    second.engine.cut('answers');
    await delay(away);
    second.engine.heal('reset');
  });
  await part('undisturbed', nothing);
  await load.stop();
  log(`${waitsOf(load)} after the end; ${load.summary}`);

  const gone = [first, second].flatMap(processesOf).filter(({ isRunning }) => !isRunning);
  // Its report says why nothing comes to rest.
  const settled = await violations(stack, second.api.client, load.remembered).catch((error: unknown) => [
    String(error),
  ]);
  const parcels = await ledgersOf(stack.sandboxes);
  log(`${parcels.length} parcels in the carrier's ledger`);
  return [
    ...load.unexpected,
    ...gone.map(({ log: end }) => `a process ended by itself: ${end}`),
    ...settled,
    ...doubles(parcels),
  ];
}

/** Kills all of a host, and starts it again after a while. */
async function hostAway(host: Host, awayMs: number): Promise<void> {
  await Promise.all(processesOf(host).map((process) => process.kill9()));
  await delay(awayMs);
  for (const process of processesOf(host)) await process.start();
}

function waitsOf(load: Load): string {
  const waits = load.takeWaitsMs().sort((a, b) => a - b);
  const at = (share: number) => `${(percentile(waits, share) / 1000).toFixed(1)} s`;
  return `${waits.length} answered, p50 ${at(0.5)}, longest ${at(1)}`;
}
