import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { comparePairs } from '../../bench/pairs.js';
import { shipmentBody } from '../../support/api-client.js';
import { CleanUps } from '../../support/clean-ups.js';
import { addressOf } from '../../support/temporal-cluster.js';
import { measureCosts } from './costs.js';
import { awayUnderLoad } from './host-away.js';
import { showKeys } from './keys.js';
import { runTests } from './tests.js';
import { processesOf, stackOn, startEngines, startHosts } from './two-hosts.js';

const HELP = `npm run cluster [-- <what> [options]]

Temporal's production server, its four services on each of two hosts, over PostgreSQL with mutual TLS, an API and a worker
of ours on each. A host is an address of loopback: Linux only. Needs Go for the first start, Debian's postgresql, and
MariaDB; \`faults\` and \`tests\` also galera-4, mariadb-server and rsync. All data are temporary.

  up      (the default) starts it, books a parcel, and stays until Ctrl-C
  faults  creations at a steady rate while a host is killed, then a node of Galera, then a link is cut
          --seconds 60      of each of the five parts
          --rate 4          creations a second
  tests   the tests of faults on it and a Galera of three, an API at another host and node than its worker; without those
          that end engines of theirs, which it names. Paths as of \`npm test\` select some: \`tests faults/crash\`
  keys    shows Temporal no key, wrong ones and some with too few rights, and says how each process fares with them
  pairs   creations a second by one API and one worker, and by two of each
  costs   processor time of a creation by part, and the rows and bytes that a million parcels leave`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '4' },
  },
});

const owner = new CleanUps();
const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => false);
const say = (line: string) => process.stdout.write(`${line}\n`);

async function up(): Promise<boolean> {
  const engines = await startEngines(owner, 1);
  const stack = await stackOn(owner, engines);
  const hosts = await startHosts(owner, stack, engines);
  const answer = await hosts[0].api.client.create(shipmentBody(stack.account, 'run'), 'the-first');
  say(`the first parcel: ${answer.status} ${answer.text}`);
  for (const host of hosts) {
    const pids = processesOf(host).map(({ name, pid }) => `${name} ${pid}`);
    say(`Temporal ${addressOf(host.temporal)}, API ${host.api.url}: ${pids.join(', ')}`);
  }
  if (answer.status !== 201) return false;
  say('Ctrl-C ends it.');
  await interrupted;
  return true;
}

async function faults(): Promise<boolean> {
  const [seconds, perSecond] = [Number(values.seconds), Number(values.rate)];
  if (!(seconds > 0 && perSecond > 0)) throw new Error('--seconds and --rate are numbers above 0');
  const found = await awayUnderLoad(owner, { seconds, perSecond, log: say });
  for (const violation of found) say(`VIOLATED: ${violation}`);
  if (found.length === 0) say('Every promise held.');
  return found.length === 0;
}

async function pairs(): Promise<boolean> {
  const engines = await startEngines(owner, 1);
  const [one, two] = [await stackOn(owner, engines), await stackOn(owner, engines)];
  return (await comparePairs(one, two, addressOf(engines.temporal.hosts[0]))) >= 1;
}

async function costs(): Promise<boolean> {
  await measureCosts(owner);
  return true;
}

const works = new Map([
  ['up', up],
  ['faults', faults],
  ['tests', () => runTests(owner, { patterns: positionals.slice(1), log: say })],
  ['keys', () => showKeys(owner, say)],
  ['pairs', pairs],
  ['costs', costs],
]);
const work = works.get(positionals[0] ?? 'up');
if (values.help || work === undefined) {
  say(HELP);
  process.exitCode = values.help ? 0 : 1;
} else {
  try {
    process.exitCode = (await Promise.race([work(), interrupted])) ? 0 : 1;
  } finally {
    await owner.end();
  }
}
