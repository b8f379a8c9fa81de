import test from 'ava';
import { CleanUps } from '../support/clean-ups.js';
import { memoryMib } from '../support/memory.js';
import { startApiProcess, startWorkerProcess } from '../support/processes.js';
import { startStack } from '../support/stack.js';
import { troublesAfter, workHands } from './hands.js';

/** `HANDS_ACTS=10000 HANDS_SEED=1 npm test -- faults/hands` does more, and the same again. */
const ACTS = Number(process.env.HANDS_ACTS ?? 150);
const SEED = Number(process.env.HANDS_SEED ?? Date.now() % 1_000_000);
const FEW = 24;

const cleanUps = new CleanUps();
test.after.always(() => cleanUps.end());

async function start() {
  const env = { CREATE_WAIT_MS: '90000', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  const stack = await startStack({ env });
  cleanUps.teardown(() => stack.close());
  const [api] = await Promise.all([startApiProcess(cleanUps, stack), startWorkerProcess(cleanUps, stack)]);
  return { stack, ...api };
}

test.serial('the hands of two people double no parcel, lose no secret and undo no setting', async (t) => {
  const { stack, url, process: api } = await start();
  t.log(`HANDS_SEED=${SEED}`);
  const warm = await workHands(stack, url, { seed: SEED, acts: FEW, isKeyed: true });
  const before = memoryMib(api.pid, 'VmRSS');

  const seen = await workHands(stack, url, { seed: SEED + 2, acts: ACTS, isKeyed: true, began: warm });

  t.log(`${seen.sendings} sendings, ${seen.orders.size} orders, ${seen.secrets.size} secrets`);
  t.log(`resident memory of the API: ${before} MiB, then ${memoryMib(api.pid, 'VmRSS')} MiB`);
  t.deepEqual(await troublesAfter(stack, seen), []);
  t.true(seen.sendings > ACTS);
});

test.serial('without keys the same hands do harm: the check sees it', async (t) => {
  const { stack, url } = await start();

  const seen = await workHands(stack, url, { seed: 1, acts: FEW, isKeyed: false });

  t.true((await troublesAfter(stack, seen)).length > 0);
});
