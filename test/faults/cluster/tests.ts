import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MANY_NAMESPACES } from '../../../tools/engines/temporal.js';
import { distFolder } from '../../../tools/launcher/paths.js';
import type { Owner } from '../../support/clean-ups.js';
import { addressOf } from '../../support/temporal-cluster.js';
import { startEngines } from './two-hosts.js';

const NODES = 3;
const ENDING = '.test.js';
/** Tests of faults that bring engines of theirs, and why. */
const WITH_OWN_ENGINES = new Map([
  ['batches', 'kills both engines in the middle of a batch'],
  ['deploys', "sets the engine's times of draining to seconds"],
  ['engines', 'kills and restarts both engines'],
  ['promoted-replica', 'has a primary and a replica of MySQL'],
  ['read-only-switch', 'has a server that it makes read-only'],
  ['restored-engine', "restores the engine's file"],
]);

/** Runs the tests of faults on the cluster, those that fit a pattern; returns whether all passed. */
export async function runTests(
  owner: Owner,
  { patterns, log }: { patterns: readonly string[]; log(line: string): void },
): Promise<boolean> {
  const names = readdirSync(join(distFolder, 'test', 'faults'))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
  const files = names
    .filter((name) => !WITH_OWN_ENGINES.has(name))
    .map((name) => `test/faults/${name}${ENDING}`)
    .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)));
  if (files.length === 0) throw new Error(`no test of faults that runs here matches ${patterns.join(' ')}`);
  for (const [name, why] of WITH_OWN_ENGINES) log(`not here: faults/${name}, which ${why}`);

  const { temporal, nodes, databaseUrl } = await startEngines(owner, NODES, [MANY_NAMESPACES]);
  const other = new URL(databaseUrl);
  other.port = String(nodes[1]?.port);
  const [first, second] = temporal.hosts;
  const env = {
    ...process.env,
    ...temporal.env,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: addressOf(first),
    TEST_API_DATABASE_URL: other.href,
    TEST_API_TEMPORAL_ADDRESS: addressOf(second),
  };
  const command = join(distFolder, 'tools', 'commands', 'test.js');
  const tests = spawn(process.execPath, [command, ...files], { env, stdio: 'inherit' });
  const [code] = await once(tests, 'close');
  return code === 0;
}
