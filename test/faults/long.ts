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
    /** Nodes of a Galera cluster, in place of faults. */
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

async function galera(): Promise<readonly string[]> {
  const why = await whyNoGalera();
  if (why !== null) {
    say(`Skipped: ${why}.`);
    return [];
  }
  const report = await runOnGalera(owner, { nodes, seconds: minutes * 60, clients, log: say });
  say(`${report.answers}; ${report.checks}`);
  return report.violations;
}

try {
  const broken = await (nodes > 0 ? galera() : faults());
  for (const violation of broken) say(`VIOLATED: ${violation}`);
  if (broken.length === 0) say('Every promise held.');
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await owner.end();
}
