import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { CleanUps } from '../support/clean-ups.js';
import { whyNoGalera } from '../support/galera.js';
import { runOnGalera } from './galera.js';
import { runRandomFaults } from './random-faults.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    /** Nodes of a Galera cluster, in place of faults; by default two, for a minute after them. */
    galera: { type: 'string' },
    clients: { type: 'string', default: '16' },
  },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const nodes = Number(values.galera ?? 0);
const clients = Number(values.clients);
if (!(minutes >= 0) || ![seed, nodes, clients].every(Number.isSafeInteger))
  throw new Error('usage: --minutes N [--seed N | --galera NODES --clients N]');

const owner = new CleanUps();
const say = (line: string) => process.stdout.write(`${line}\n`);

async function faults(): Promise<readonly string[]> {
  say(`${minutes} minutes of faults with seed ${seed}`);
  const report = await runRandomFaults(owner, { seconds: minutes * 60, seed, log: say });
  say(`${report.faults.length} faults; ${report.answers}`);
  if (report.violations.length > 0)
    say(`Run it again: npm run faults -- --minutes ${minutes} --seed ${seed}`);
  return report.violations;
}

async function galera(size: number, seconds: number): Promise<readonly string[]> {
  const why = await whyNoGalera();
  if (why !== null) {
    say(`A Galera cluster is skipped: ${why}.`);
    const isWanted = nodes > 0 || process.env.CI !== undefined;
    return isWanted ? ['the cluster that was asked for must be there'] : [];
  }
  const report = await runOnGalera(owner, { nodes: size, seconds, clients, log: say });
  say(`${report.answers}; ${report.checks}`);
  return report.violations;
}

async function both(): Promise<readonly string[]> {
  const broken = await faults();
  // A seed is given to see one run of faults again.
  return values.seed === undefined ? [...broken, ...(await galera(2, 60))] : broken;
}

try {
  const broken = await (nodes > 0 ? galera(nodes, minutes * 60) : both());
  for (const violation of broken) say(`VIOLATED: ${violation}`);
  if (broken.length === 0) say('Every promise held.');
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await owner.end();
}
