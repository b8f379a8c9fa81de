import { cpuMs, familyOf } from '../../bench/cpu.js';
import { measure } from '../../bench/measure.js';
import { creationInTurn } from '../../bench/processes.js';
import { mib, printStored, scaled } from '../../bench/stored.js';
import type { Owner } from '../../support/clean-ups.js';
import type { TestProcess } from '../../support/processes.js';
import { stackOn, startEngines, startHosts } from './two-hosts.js';

const WARM_UP = { count: 600, width: 32 };
const LOAD = { count: 1500, width: 32 };
/** Called over the network, as a carrier is; it answers at once. */
const PROVIDER = 'run';

/** Prints the processor time of a creation by part of the cluster, and what parcels leave in both stores. */
export async function measureCosts(owner: Owner): Promise<void> {
  const engines = await startEngines(owner, 1);
  const stack = await stackOn(owner, engines);
  const hosts = await startHosts(owner, stack, engines);
  const create = creationInTurn(
    stack,
    hosts.map(({ api }) => api.url),
    PROVIDER,
  );
  await measure(create, WARM_UP);

  const services = hosts[0].temporal.services.map((_, index) =>
    hosts.map((host) => host.temporal.services[index]),
  );
  const parts: [string, (TestProcess | undefined)[]][] = [
    ...services.map((both): [string, typeof both] => [`Temporal ${both[0]?.name.split(' ')[0]}`, both]),
    ['PostgreSQL', [engines.temporal.postgres]],
    ['MySQL', [engines.nodes[0].process]],
    ['API', hosts.map(({ api }) => api.process)],
    ['worker', hosts.map(({ worker }) => worker)],
  ];
  const before = parts.map(([, processes]) => cpuOf(processes));
  const bytesBefore = await engines.temporal.storedBytes('packed');
  const { totalMs } = await measure(create, LOAD);
  console.log(
    `\n${((LOAD.count / totalMs) * 1000).toFixed(1)} creations a second; ms of processor time each:`,
  );
  for (const [index, [name, processes]] of parts.entries()) {
    const each = (cpuOf(processes) - (before[index] ?? 0)) / LOAD.count;
    console.log(`  ${name.padEnd(20)} ${each.toFixed(2)}`);
  }
  await printStored(stack.db);
  for (const packed of ['as it is', 'packed'] as const) {
    const bytes = (await engines.temporal.storedBytes(packed)) - bytesBefore;
    console.log(`  Temporal's store, ${packed}: ${mib(scaled(bytes, LOAD.count))} MiB a million closed runs`);
  }
}

/** Processor time of the processes in ms, that of their children too. */
function cpuOf(processes: readonly (TestProcess | undefined)[]): number {
  const pids = processes.flatMap((process) => (process?.pid === undefined ? [] : familyOf(process.pid)));
  const each = Object.values(cpuMs(Object.fromEntries(pids.map((pid) => [String(pid), pid]))));
  return each.reduce((sum, ms) => sum + ms, 0);
}
