import { fileURLToPath } from 'node:url';
import { run } from '../../../tools/launcher/run.js';
import { ApiClient, shipmentBody } from '../../support/api-client.js';
import { CleanUps, type Owner } from '../../support/clean-ups.js';
import { startLiveApi, startWorkerProcess } from '../../support/processes.js';
import type { TestStack } from '../../support/stack.js';
import { addressOf } from '../../support/temporal-cluster.js';
import { stackOn, startEngines } from './two-hosts.js';

const MIGRATE = fileURLToPath(new URL('../../../src/main/migrate.js', import.meta.url));
/** A process that is not let in ends with one line, which says so. */
const REFUSED = /^migrate: Temporal at \S+ does not let this process in: .*\n$/;
const ENDED = /\nworker: Temporal at \S+ does not let this process in: .*$/;
const REFUSED_API = /^Temporal does not let this process in/;

interface Show {
  key: string;
  isLetIn: boolean;
}

/** Shows Temporal keys with several rights and none; returns whether each was let in or refused as it has to be. */
export async function showKeys(owner: Owner, log: (line: string) => void): Promise<boolean> {
  const engines = await startEngines(owner, 1);
  const stack = await stackOn(owner, engines);
  const namespace = stack.config.temporalNamespace;
  const { tokenFor } = engines.temporal;
  const env = { TEMPORAL_ADDRESS: addressOf(engines.temporal.hosts[0]) };
  const shows: Record<string, Show> = {
    'no key': { key: '', isLetIn: false },
    'no token': { key: 'not-a-token', isLetIn: false },
    'a key of another namespace': { key: tokenFor(['another:admin']), isLetIn: false },
    worker: { key: tokenFor([`${namespace}:worker`]), isLetIn: false },
    write: { key: tokenFor([`${namespace}:write`]), isLetIn: true },
    admin: { key: tokenFor([`${namespace}:admin`]), isLetIn: true },
  };
  let held = true;
  for (const [name, { key, isLetIn }] of Object.entries(shows)) {
    const seen = await seenWith(stack, { ...env, TEMPORAL_API_KEY: key });
    const isRight = isLetIn ? seen.isBooked : seen.isRefused;
    held &&= isRight;
    log(`${isRight ? 'as it has to be' : 'WRONG'}: ${name}\n${seen.words.join('\n')}`);
  }
  return held;
}

/** How `migrate`, a worker and an API fare. */
async function seenWith(stack: TestStack, env: Record<string, string>) {
  const owner = new CleanUps();
  try {
    const migrated = await run(process.execPath, [MIGRATE], {
      env: { ...stack.env, ...env },
      timeoutMs: 120_000,
    });
    const worker = await startWorkerProcess(owner, stack, env).then(() => 'polls', String);
    const { reason, status, text } = await askApi(owner, stack, env);
    return {
      isRefused: REFUSED.test(migrated.output) && ENDED.test(worker) && REFUSED_API.test(reason ?? ''),
      isBooked: migrated.code === 0 && status === 201,
      words: [
        `  migrate: ${migrated.output.trim()}`,
        `  worker: ${worker}`,
        `  API: ${reason ?? `${status} ${text}`}`,
      ],
    };
  } finally {
    await owner.end();
  }
}

/** Why an API is not ready, or its answer to a creation. */
async function askApi(owner: Owner, stack: TestStack, env: Record<string, string>) {
  const { url } = await startLiveApi(owner, { ...stack.env, ...env });
  const ready = await fetch(`${url}/health/ready`);
  const said: any = await ready.json();
  if (!ready.ok) return { reason: String(said.reason), status: ready.status, text: '' };
  const { status, text } = await new ApiClient(url, stack.account).create(shipmentBody(stack.account, 'run'));
  return { reason: null, status, text };
}
