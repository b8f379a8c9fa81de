import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { CleanUps } from '../support/clean-ups.js';
import { whyNoGalera } from '../support/galera.js';
import { runCampaign } from './campaign/campaign.js';
import { reportOf } from './campaign/report.js';
import { runOnGalera } from './galera.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    /** Carriers' look-ups find nothing: the run must find a parcel that is booked twice. */
    'without-look-up': { type: 'boolean', default: false },
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
/** Beside the report, which is what the standard output is for. */
const tell = (line: string) => process.stderr.write(`${line}\n`);

/** Whether every promise held, and each cell of the table was hit. */
async function faults(): Promise<boolean> {
  tell(`${minutes} minutes of faults with seed ${seed}`);
  const withoutLookUp = values['without-look-up'];
  const campaign = await runCampaign(owner, { seconds: minutes * 60, seed, withoutLookUp, log: tell });
  say(reportOf(campaign, { minutes, seed }));
  return campaign.violations.length === 0 && campaign.table.empty.length === 0;
}

async function galera(size: number, seconds: number): Promise<boolean> {
  const why = await whyNoGalera();
  if (why !== null) {
    say(`A Galera cluster is skipped: ${why}.`);
    // Asked for, or in CI, the cluster must be there.
    return nodes === 0 && process.env.CI === undefined;
  }
  const report = await runOnGalera(owner, { nodes: size, seconds, clients, log: say });
  say(`${report.answers}; ${report.checks}`);
  for (const violation of report.violations) say(`VIOLATED: ${violation}`);
  if (report.violations.length === 0) say('Every promise held.');
  return report.violations.length === 0;
}

async function both(): Promise<boolean> {
  const held = await faults();
  // A seed is given to see one run of faults again.
  return values.seed === undefined ? (await galera(2, 60)) && held : held;
}

try {
  const held = await (nodes > 0 ? galera(nodes, minutes * 60) : both());
  process.exitCode = held ? 0 : 1;
} finally {
  await owner.end();
}
